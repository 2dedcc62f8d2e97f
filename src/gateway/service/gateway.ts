// The service of the gateway: sessions, callbacks, configurations, secrets, and the work in the outbox.
import { z } from "zod";
import { fail } from "../../core/contract/index.ts";
import { canonicalJson, createIds, sha256 } from "../../platform/store/index.ts";
import { timers } from "../../platform/system/index.ts";
import { integrationOfVault, toolNamed, type ToolDefinition } from "../rules/index.ts";
import type { Configuration, SandboxSession } from "../store/index.ts";
import { Actions } from "./actions.ts";
import { Calls, type CallEnd } from "./calls.ts";
import { KnownValues } from "./clean.ts";
import { Events } from "./events.ts";
import { GatewayMetrics } from "./metrics.ts";
import type { SessionDeps, GatewayDeps } from "./deps.ts";
import { SandboxSessions } from "./sessions.ts";
import { savedStates, type SavedStates } from "./saved-states.ts";
import { effectOf, toolRefusal, type ToolDeps } from "./tools.ts";

export const configurationRequest = z.object({
  id: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/)
    .optional(),
  name: z.string().min(1).max(200),
  source: z.string().max(4096).nullish(),
});

/** Longer than the longest wait of a sandbox between two attempts. */
const rejoinMs = 10_000;

export class Gateway {
  readonly deps: GatewayDeps;
  readonly events: Events;
  readonly sessions: SandboxSessions;
  readonly actions: Actions;
  readonly metrics = new GatewayMetrics();
  readonly #known = new KnownValues();
  readonly #calls: Calls;
  readonly #ids;
  readonly #stopping = new AbortController();
  #work: Promise<unknown> = Promise.resolve();

  constructor(deps: GatewayDeps) {
    this.deps = deps;
    this.events = new Events(
      deps.store,
      this.#known,
      () => deps.clock.now(),
      (error) => deps.log({ level: "error", event: "events", why: String(error) }),
    );
    const shared: SessionDeps = { ...deps, known: this.#known, events: this.events, metrics: this.metrics };
    this.sessions = new SandboxSessions(shared);
    this.#calls = new Calls(deps, (id, result) => this.#known.json(id, result));
    this.actions = new Actions(shared, this.#calls);
    this.#ids = createIds(deps.clock);
  }

  async start(): Promise<void> {
    await this.sessions.adopt();
    await this.#tried("clean", async () => this.deps.sandboxes.clean?.());
    this.#work = Promise.all([this.#workOutbox(), this.#adoptSessions()]);
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#work;
    await this.sessions.release();
    await this.deps.store.close();
  }

  /** Performs a callback of the session's sandbox. The caller, the tool and the mode are checked already. */
  async call(session: SandboxSession, tool: ToolDefinition, callId: string, args: unknown): Promise<CallEnd> {
    const began = this.deps.clock.now();
    const request = { sessionId: session.id, callId, tool: tool.name, argsHash: sha256(canonicalJson(args)) };
    this.metrics.callBegan();
    try {
      const end = await this.#calls.call(request, () => effectOf(this.#toolDeps(), session, tool, callId, args));
      const outcome = outcomeOf(end);
      const durationMs = this.deps.clock.now() - began;
      this.metrics.count("tool_calls_total", { tool: tool.name, outcome });
      this.metrics.took("tool_call", durationMs, { tool: tool.name });
      this.deps.log({
        level: "info",
        toolName: tool.name,
        toolCallId: callId,
        sessionId: session.id,
        durationMs,
        outcome,
      });
      if (end.kind !== "answer") return end;
      const { result } = end.result;
      return { ...end, result: { ...end.result, result: this.#known.plain(session.id, result) } };
    } finally {
      this.metrics.callEnded();
    }
  }

  #toolDeps(): ToolDeps {
    return {
      ...this.deps,
      known: this.#known,
      sandbox: (of) => this.sessions.sandbox(of),
      alone: (id, work) => this.sessions.alone(id, work),
    };
  }

  /** Sends a message; with a key it is sent once, also by a client that repeats its request. */
  async messageOnce(sessionId: string, key: string | undefined, content: string): Promise<void> {
    const session = await this.sessions.find(sessionId);
    // A session without an agent gets no message, and the key stays free.
    if (key === undefined || session.status !== "running" || session.agentSession === null)
      return this.sessions.message(sessionId, content);
    const request = { sessionId, callId: `message:${key}`, tool: "message", argsHash: sha256(content) };
    const end = await this.#calls.call(request, () => ({
      kind: "world",
      perform: async () => {
        await this.sessions.message(sessionId, content);
        return { result: { success: true, result: "sent" }, effects: 1 };
      },
      reconcile: async () => ({ kind: "unknown" }),
    }));
    if (end.kind === "conflict") fail("conflict", "This Idempotency-Key was used before with another message.");
    if (end.kind === "later")
      fail("conflict", "The message is still being sent.", { remedy: "Ask again in a moment." });
    if (end.kind === "answer" && !end.result.success) fail("run_failed", end.result.result);
  }

  /** What a person does with the saved states of a session. */
  get saved(): SavedStates {
    return savedStates(this.#toolDeps(), this.sessions);
  }

  toolFor = (name: string): ToolDefinition | undefined => {
    const tool = toolNamed(name);
    return tool?.performedBy === "gateway" ? tool : undefined;
  };

  refusal = toolRefusal;

  async addConfiguration(request: z.infer<typeof configurationRequest>, by: string): Promise<Configuration> {
    const now = this.deps.clock.now();
    const configuration: Configuration = {
      id: request.id ?? this.#ids.next("conf"),
      name: request.name,
      source: request.source ?? null,
      serviceCommands: [],
      envFiles: [],
      snapshotId: null,
      status: "default",
      updatedBy: by,
      createdAt: now,
      updatedAt: now,
    };
    await this.deps.store.addConfiguration(configuration);
    return configuration;
  }

  /** Whose stored values these are: a configuration or a connected integration. */
  async vaultOf(id: string): Promise<string> {
    const integration = integrationOfVault(id);
    if (integration === undefined) return (await this.configuration(id)).id;
    const known = this.deps.integrations().some((one) => one.id === integration);
    return known ? id : fail("not_found", `The integration ${integration} is not connected.`);
  }

  async configuration(id: string): Promise<Configuration> {
    return (await this.deps.store.configuration(id)) ?? fail("not_found", `There is no configuration ${id}.`);
  }

  /** A token of the session's current sandbox, for programs that take its place. */
  sandboxToken = (session: SandboxSession): string =>
    this.deps.tokens.mint({
      kind: "sandbox",
      subject: session.id,
      generation: session.generation,
      expiresAt: this.deps.clock.now() + this.deps.limits.tokenMs,
    });

  async #adoptSessions(): Promise<void> {
    const { signal } = this.#stopping;
    for (;;) {
      await timers.sleep(this.deps.limits.leaseMs / 6, signal);
      if (signal.aborted) return;
      await this.#tried("adopt", () => this.sessions.adopt());
    }
  }

  /** A store that cannot be reached does not end the gateway: the next attempt finds the same work. */
  async #tried(event: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.deps.log({ level: "error", event, why: String(error) });
      return false;
    }
  }

  async #workOutbox(): Promise<void> {
    const { signal } = this.#stopping;
    let postponed = false;
    while (!signal.aborted) {
      postponed ||= await this.#tried("outbox", () => this.#postponeOutbox());
      if (postponed) await this.#tried("outbox", () => this.#workOffOutbox());
      await timers.sleep(500, signal);
    }
  }

  /** Sandboxes retry after the death of a gateway: they get their answers before they are stopped. */
  async #postponeOutbox(): Promise<void> {
    const { store, clock } = this.deps;
    for (const { id } of await store.outboxDue(clock.now() + rejoinMs))
      await store.outboxLater(id, clock.now() + rejoinMs);
  }

  /** Performs the work that transactions promised; failed work is retried later. */
  async #workOffOutbox(): Promise<void> {
    const { store, clock } = this.deps;
    for (const { id, sessionId, attempts } of await store.outboxDue(clock.now())) {
      try {
        await this.sessions.stop(sessionId);
        await store.outboxDone(id);
      } catch (error) {
        this.deps.log({ level: "error", event: "outbox", sessionId, attempts, why: String(error) });
        await store.outboxLater(id, clock.now() + Math.min(300_000, 5_000 * 2 ** attempts));
      }
    }
  }
}

function outcomeOf(end: CallEnd): string {
  if (end.kind !== "answer") return end.kind;
  return end.replayed ? "replayed" : end.result.success ? "succeeded" : "failed";
}
