// Sessions: made, started, asked, stopped. One turn a session, so that a stop never meets a start half way.
import { z } from "zod";
import { createKeyedQueue, fail, FailureError } from "../../core/contract/index.ts";
import { createIds } from "../../platform/store/index.ts";
import { agentAt, type SandboxAgent } from "../agent/opencode.ts";
import type { Box } from "../sandboxes/index.ts";
import {
  agentPort,
  defaultModel,
  kindOf,
  sessionKinds,
  toOpencodeModelId,
  toolNamed,
} from "../rules/index.ts";
import type { SandboxSession, SessionStatus } from "../store/index.ts";
import { keepSubmitted, writeEnvFile, type EnvSubmission, type Submitted } from "./env.ts";
import type { SessionDeps } from "./deps.ts";
import { workspaceDiff, followAgent, openBox, promptOf, rejoin, startAgent } from "./runtime.ts";
import { SessionLeases } from "./leases.ts";

export const sessionAsk = z.object({
  id: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, "must be letters, digits, dots, dashes")
    .optional(),
  kind: z.enum(sessionKinds),
  configurationId: z.string().max(100).nullish(),
  title: z.string().max(200).optional(),
  model: z.string().max(200).default(defaultModel),
  systemPrompt: z.string().max(60_000).nullish(),
  agentConfig: z.object({ tools: z.array(z.string().max(100)).max(50).nullish() }).optional(),
  source: z.string().max(4096).nullish(),
  runId: z.string().min(1).max(200).nullish(),
  start: z.boolean().default(false),
});
export type SessionAsk = z.infer<typeof sessionAsk>;

interface Running {
  readonly box: Box;
  readonly agent: SandboxAgent | undefined;
  readonly ending: AbortController;
}

export class SandboxSessions {
  readonly #running = new Map<string, Running>();
  readonly #holds: SessionLeases;
  readonly #queue = createKeyedQueue();
  readonly #parts: SessionDeps;
  readonly #ids;

  constructor(parts: SessionDeps) {
    this.#parts = parts;
    this.#holds = new SessionLeases(parts.deps);
    this.#ids = createIds(parts.deps.clock);
  }

  /** Everything is judged before anything is made: an unknown model or tool makes no session. */
  async create(ask: SessionAsk, createdBy: string): Promise<SandboxSession> {
    const { store, clock, boxes, openRuns } = this.#parts.deps;
    toOpencodeModelId(ask.model);
    const tools = ask.agentConfig?.tools ?? null;
    for (const name of tools ?? [])
      if (!toolNamed(name)) fail("invalid_input", `There is no tool "${name}".`);
    const configurationId = ask.kind === "scratch" ? null : (ask.configurationId ?? null);
    if (configurationId === null && ask.kind !== "scratch")
      fail("invalid_input", `A ${ask.kind} session needs a configurationId.`, {
        remedy: "Make one with POST /api/configurations, or ask for a scratch session.",
      });
    const configuration = configurationId === null ? undefined : await store.configuration(configurationId);
    if (configurationId !== null && !configuration)
      fail("not_found", `There is no configuration ${configurationId}.`);
    const id = ask.id ?? this.#ids.next("ses");
    const now = clock.now();
    const bound = ask.kind === "automation" && (!openRuns || ask.runId);
    const runId = bound ? (ask.runId ?? this.#ids.next("arun")) : null;
    const session: SandboxSession = {
      id,
      title: ask.title ?? `${ask.kind} session`,
      sessionType: ask.kind === "setup" ? "setup" : "coding",
      clientType: ask.kind === "automation" ? "automation" : "user",
      configurationId,
      systemPrompt: ask.systemPrompt ?? null,
      tools,
      repoName: configuration?.name ?? null,
      runId,
      model: ask.model,
      status: "pending",
      generation: 1,
      provider: boxes.id,
      boxId: null,
      agentSession: null,
      source: ask.source ?? null,
      snapshotId: null,
      createdBy,
      createdAt: now,
      updatedAt: now,
      outcome: null,
      summary: null,
      error: null,
    };
    const blank = { completionId: null, completionHash: null, completion: null, completedAt: null };
    await store.addSession(
      session,
      runId === null ? undefined : { id: runId, sessionId: id, status: "running", createdAt: now, ...blank },
    );
    return ask.start ? this.start(id) : session;
  }

  async find(id: string): Promise<SandboxSession> {
    return (await this.#parts.deps.store.session(id)) ?? fail("not_found", `There is no session ${id}.`);
  }

  /** The sandbox of a running session, whichever process follows it. */
  async box(session: SandboxSession): Promise<Box> {
    const running = this.#running.get(session.id);
    if (running) return running.box;
    const box = await rejoin(this.#parts, session, false);
    if (!box) return fail("conflict", "The session has no sandbox.", { remedy: "Start the session first." });
    return box;
  }

  #agentIn(session: SandboxSession, box: Box): SandboxAgent {
    return agentAt(box.reach(agentPort), this.#parts.deps.tokens.agentPassword(session));
  }

  async #agent(session: SandboxSession): Promise<SandboxAgent | undefined> {
    if (session.status !== "running" || session.agentSession === null) return undefined;
    return this.#running.get(session.id)?.agent ?? this.#agentIn(session, await this.box(session));
  }

  start(id: string): Promise<SandboxSession> {
    return this.#queue.run(id, async () => {
      const old = await this.find(id);
      if (old.status === "running" && this.#running.has(id)) return old;
      if (old.outcome !== null) fail("conflict", "The session has ended with its run.");
      if (!(await this.#holds.take(id)))
        fail("conflict", "Another gateway on this database works on the session.", {
          remedy: "Ask again in a moment.",
        });
      // Each sandbox has its own generation: a token of an earlier one opens nothing any more.
      const generation = old.boxId === null ? old.generation : old.generation + 1;
      const session = { ...old, generation };
      await this.#become(id, "starting", { generation, error: null });
      const began = this.#parts.deps.clock.now();
      try {
        await this.#begin(session);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        await this.#end(id);
        await this.#become(id, "failed", { error: why.slice(0, 2000) });
        await this.#holds.letGo(id);
        if (error instanceof FailureError) throw error;
        throw new Error(`session ${id} could not be started`, { cause: error });
      }
      this.#parts.metrics.took("session_start", this.#parts.deps.clock.now() - began);
      return this.find(id);
    });
  }

  async #begin(session: SandboxSession): Promise<void> {
    const { deps } = this.#parts;
    const box = await openBox(this.#parts, session);
    const ending = new AbortController();
    this.#running.set(session.id, { box, agent: undefined, ending });
    await deps.store.changeSession(session.id, { boxId: box.id });
    if (!deps.boxes.runsAgents) return this.#become(session.id, "running", {});
    const agent = await startAgent(this.#parts, session, box);
    const agentSession = await agent.newSession(session.title);
    this.#running.set(session.id, { box, agent, ending });
    void followAgent(this.#parts, { ...session, agentSession }, agent, ending.signal);
    return this.#become(session.id, "running", { agentSession });
  }

  /** Takes up sandboxes whose gateway is gone, and lets go of sessions that are no longer ours. Asked again and again. */
  async adopt(): Promise<void> {
    const { store, boxes } = this.#parts.deps;
    for (const id of await this.#holds.renew()) this.#drop(id);
    const followed = [...this.#running.keys()];
    const active = await store.activeSessions();
    for (const id of followed) if (active.every((session) => session.id !== id)) this.#drop(id);
    for (const { id, provider } of active)
      if (provider === boxes.id && !this.#holds.has(id) && (await this.#holds.take(id)))
        await this.#queue.run(id, () => this.#takeUp(id));
  }

  async #takeUp(id: string): Promise<void> {
    const { deps } = this.#parts;
    if (this.#running.has(id)) return undefined;
    const session = await this.find(id);
    if (session.status !== "running" && session.status !== "starting") return this.#drop(id);
    // A sandbox in which nothing answers as it should is as good as gone.
    const box = await rejoin(this.#parts, session, true).catch((error: unknown) => {
      deps.log({ level: "warn", event: "rejoin", sessionId: id, why: String(error) });
      return undefined;
    });
    if (!box || session.status === "starting") {
      if (session.boxId !== null) await deps.boxes.end(session.boxId);
      await this.#become(id, "stopped", { error: "The sandbox ended while no gateway was running." });
      return this.#drop(id);
    }
    const ending = new AbortController();
    const agent = session.agentSession === null ? undefined : this.#agentIn(session, box);
    this.#running.set(id, { box, agent, ending });
    if (agent) void followAgent(this.#parts, session, agent, ending.signal);
    return undefined;
  }

  /** Ends the following of a session in this process, and nothing of the session itself. */
  #drop(id: string): void {
    this.#running.get(id)?.ending.abort();
    this.#running.delete(id);
    this.#holds.forget(id);
  }

  async message(id: string, content: string): Promise<void> {
    const session = await this.find(id);
    const agent = await this.#agent(session);
    if (!agent || session.agentSession === null)
      return fail("conflict", "The session has no running agent.", { remedy: "Start the session first." });
    await this.#parts.events.tell(id, "message", { role: "user", text: content });
    return agent.prompt(session.agentSession, promptOf(session, content));
  }

  async cancel(id: string): Promise<void> {
    const session = await this.find(id);
    const agent = await this.#agent(session);
    if (agent && session.agentSession !== null) await agent.abort(session.agentSession);
  }

  /** Values reach the running sandbox at once, and the configuration where the person said so. */
  async submitEnv(id: string, submission: EnvSubmission): Promise<Submitted> {
    const session = await this.find(id);
    const all = [...submission.secrets, ...submission.envVars];
    this.#parts.known.add(
      id,
      submission.secrets.map(({ value }) => value),
    );
    const kept = await keepSubmitted(this.#parts.deps, session, submission);
    if (session.status === "running" && this.#parts.deps.boxes.runsAgents) {
      const values = Object.fromEntries(all.map(({ key, value }) => [key, value]));
      const box = await this.box(session);
      await this.alone(id, () => writeEnvFile(box, values));
    }
    return kept;
  }

  /** The change of the workspace against the commit that it started with, without the files that we put there. */
  async diff(id: string): Promise<string> {
    const session = await this.find(id);
    return this.alone(id, async () => workspaceDiff(await this.box(session)));
  }

  alone<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.#queue.run(`box ${id}`, work);
  }

  stop(id: string): Promise<SandboxSession> {
    return this.#queue.run(id, async () => {
      const session = await this.find(id);
      if (session.status === "stopped") return session;
      await this.alone(id, async () => {
        await this.#end(id);
        if (session.boxId !== null) await this.#parts.deps.boxes.end(session.boxId);
      });
      // The next sandbox is another generation, also for a token that was copied out of this one.
      await this.#become(id, "stopped", {
        generation: session.generation + 1,
        boxId: null,
        agentSession: null,
      });
      this.#parts.known.forget(id);
      await this.#holds.letGo(id);
      return this.find(id);
    });
  }

  async #end(id: string): Promise<void> {
    const running = this.#running.get(id);
    this.#running.delete(id);
    running?.ending.abort();
    await running?.box.stop();
  }

  async #become(id: string, status: SessionStatus, change: Partial<SandboxSession>): Promise<void> {
    const { store, clock } = this.#parts.deps;
    await store.changeSession(id, { ...change, status, updatedAt: clock.now() });
    await this.#parts.events.tell(id, "status", {
      status,
      ...(change.error ? { message: change.error } : {}),
    });
  }

  /** Lets go of every sandbox without stopping it: the next process takes them up again. */
  async release(): Promise<void> {
    for (const { ending } of this.#running.values()) ending.abort();
    this.#running.clear();
    await this.#holds.letGoAll();
  }
}

export const sandboxViewOf = (session: SandboxSession) => ({ ...session, kind: kindOf(session) });
