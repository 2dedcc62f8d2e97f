// Starts, prompts and stops sessions. The steps of one session run one after the other, so a stop waits for a start.
import { createKeyedQueue, fail, FailureError } from "../../core/contract/index.ts";
import { createIds } from "../../platform/store/index.ts";
import { agentAt, type SandboxAgent } from "../agent/opencode.ts";
import type { Sandbox } from "../sandboxes/index.ts";
import { afterAnswer, agentPort, kindOf } from "../rules/index.ts";
import type { SandboxSession, SessionStatus } from "../store/index.ts";
import { createSession, type SessionRequest } from "./create.ts";
import { storedValues, storeSubmitted, writeEnvFile, type EnvSubmission, type Submitted } from "./env.ts";
import type { SessionDeps } from "./deps.ts";
import { followAgent } from "./follow.ts";
import { workspaceDiff, openSandbox, promptOf, rejoin, startAgent } from "./runtime.ts";
import { AttachedSandboxes } from "./attached.ts";
import { SessionLeases } from "./leases.ts";

interface Running {
  readonly sandbox: Sandbox;
  readonly agent: SandboxAgent | undefined;
  readonly ending: AbortController;
}

export class SandboxSessions {
  readonly #running = new Map<string, Running>();
  readonly #attached: AttachedSandboxes;
  readonly #leases: SessionLeases;
  readonly #queue = createKeyedQueue();
  readonly #deps: SessionDeps;
  readonly #ids;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    this.#attached = new AttachedSandboxes(deps);
    this.#leases = new SessionLeases(deps);
    this.#ids = createIds(deps.clock);
  }

  async create(request: SessionRequest, createdBy: string): Promise<SandboxSession> {
    const session = await createSession(this.#deps, this.#ids, request, createdBy);
    return request.start ? this.start(session.id) : session;
  }

  async find(id: string): Promise<SandboxSession> {
    return (await this.#deps.store.session(id)) ?? fail("not_found", `There is no session ${id}.`);
  }

  /** The sandbox of a running session, also if another process follows it. */
  async sandbox(session: SandboxSession): Promise<Sandbox> {
    const running = this.#running.get(session.id);
    if (running) return running.sandbox;
    const sandbox = await this.#attached.sandbox(session);
    if (!sandbox)
      return fail("conflict", "The session has no sandbox.", {
        remedy: `Start it: thehood gateway start ${session.id}`,
      });
    return sandbox;
  }

  #agentIn(session: SandboxSession, sandbox: Sandbox): SandboxAgent {
    return agentAt(sandbox.reach(agentPort), this.#deps.tokens.agentPassword(session));
  }

  async #agent(session: SandboxSession): Promise<SandboxAgent | undefined> {
    if (session.status !== "running" || session.agentSession === null) return undefined;
    return this.#running.get(session.id)?.agent ?? this.#agentIn(session, await this.sandbox(session));
  }

  start(id: string): Promise<SandboxSession> {
    return this.#queue.run(id, () => this.#start(id));
  }

  /** Stops the session and starts it with the change that `prepare` returns. No other start comes in between. */
  restart(id: string, prepare: (session: SandboxSession) => Promise<Partial<SandboxSession>>): Promise<SandboxSession> {
    return this.#queue.run(id, async () => {
      const session = await this.find(id);
      if (session.outcome !== null) fail("conflict", "The session has ended with its run.");
      const change = await prepare(session);
      await this.#stop(session);
      await this.#deps.store.changeSession(id, change);
      return this.#start(id);
    });
  }

  async #start(id: string): Promise<SandboxSession> {
    const old = await this.find(id);
    if (old.status === "running" && this.#running.has(id)) return old;
    if (old.outcome !== null) fail("conflict", "The session has ended with its run.");
    if (!(await this.#leases.take(id)))
      fail("conflict", "Another gateway on this database works on the session.", {
        remedy: "Ask again in a moment.",
      });
    // Each sandbox has its own generation: a token of an earlier one is invalid.
    const generation = old.boxId === null ? old.generation : old.generation + 1;
    const session = { ...old, generation };
    await this.#become(id, "starting", { generation, error: null, requested: [] });
    const began = this.#deps.clock.now();
    try {
      await this.#begin(session);
    } catch (error) {
      await this.#notStarted(session, error);
      if (error instanceof FailureError) throw error;
      throw new Error(`session ${id} could not be started`, { cause: error });
    }
    this.#deps.metrics.took("session_start", this.#deps.clock.now() - began);
    return this.find(id);
  }

  /** Nothing of the sandbox runs on. A store that is away too gives the session to whichever gateway finds it later. */
  async #notStarted(session: SandboxSession, error: unknown): Promise<void> {
    const { sandboxes, log } = this.#deps;
    const { id } = session;
    const why = error instanceof Error ? error.message : String(error);
    const tried = (work: () => Promise<void>) =>
      work().catch((failed: unknown) =>
        log({ level: "error", event: "start_failed", sessionId: id, why: String(failed) }),
      );
    await tried(() => this.#end(id));
    // A sandbox that was made and could not be filled is not among those that run.
    const boxId = boxIdOf(sandboxes, session);
    if (boxId !== undefined) await tried(() => sandboxes.end(boxId));
    await tried(() => this.#become(id, "failed", { error: why.slice(0, 2000) }));
    await tried(() => this.#leases.release(id));
  }

  async #begin(session: SandboxSession): Promise<void> {
    const deps = this.#deps;
    // The id is stored before the sandbox exists: a gateway that dies from here on leaves none that no store knows.
    const boxId = boxIdOf(deps.sandboxes, session);
    if (boxId !== undefined) await deps.store.changeSession(session.id, { boxId });
    const sandbox = await openSandbox(this.#deps, session);
    const ending = new AbortController();
    this.#running.set(session.id, { sandbox, agent: undefined, ending });
    await deps.store.changeSession(session.id, { boxId: sandbox.id });
    if (!deps.sandboxes.runsAgents) return this.#become(session.id, "running", {});
    const agent = await startAgent(this.#deps, session, sandbox);
    const agentSession = await agent.newSession(session.title);
    this.#running.set(session.id, { sandbox, agent, ending });
    void followAgent(this.#deps, { ...session, agentSession }, agent, ending.signal);
    return this.#become(session.id, "running", { agentSession });
  }

  /** Takes over sessions whose gateway is gone and drops sessions whose lease is lost. Called repeatedly. */
  async adopt(): Promise<void> {
    const { store, sandboxes } = this.#deps;
    for (const id of await this.#leases.renew()) this.#drop(id);
    await this.#attached.sweep();
    const followed = [...this.#running.keys()];
    const active = await store.activeSessions();
    for (const id of followed) if (active.every((session) => session.id !== id)) this.#drop(id);
    for (const { id, provider } of active)
      if (provider === sandboxes.id && !this.#leases.has(id) && (await this.#leases.take(id)))
        await this.#queue.run(id, () => this.#takeOver(id)).catch((error: unknown) => this.#notTakenOver(id, error));
  }

  /** A session that cannot be taken over now keeps no other from it; it is tried again. */
  async #notTakenOver(id: string, error: unknown): Promise<void> {
    this.#deps.log({ level: "error", event: "take_over", sessionId: id, why: String(error) });
    this.#drop(id);
    await this.#leases.release(id);
  }

  async #takeOver(id: string): Promise<void> {
    const deps = this.#deps;
    if (this.#running.has(id)) return undefined;
    const session = await this.find(id);
    if (session.status !== "running" && session.status !== "starting") return this.#drop(id);
    // A sandbox that does not answer correctly counts as ended.
    const sandbox = await rejoin(this.#deps, session, true).catch((error: unknown) => {
      deps.log({ level: "warn", event: "rejoin", sessionId: id, why: String(error) });
      return undefined;
    });
    if (!sandbox || session.status === "starting") {
      if (session.boxId !== null) await deps.sandboxes.end(session.boxId);
      await this.#become(id, "stopped", { error: "The sandbox ended while no gateway was running." });
      return this.#drop(id);
    }
    const ending = new AbortController();
    const agent = session.agentSession === null ? undefined : this.#agentIn(session, sandbox);
    this.#running.set(id, { sandbox, agent, ending });
    if (agent) void followAgent(this.#deps, session, agent, ending.signal);
    return undefined;
  }

  /** Stops following a session in this process; the session goes on. */
  #drop(id: string): void {
    this.#running.get(id)?.ending.abort();
    this.#running.delete(id);
    this.#leases.forget(id);
  }

  /** A secret in a message is replaced: the agent gets values by `request_env_variables`, which no log holds. */
  async message(id: string, given: string): Promise<void> {
    const session = await this.find(id);
    const content = this.#deps.known.text(id, given);
    const agent = await this.#agent(session);
    if (!agent || session.agentSession === null)
      return fail("conflict", "The session has no running agent.", { remedy: `Start it: thehood gateway start ${id}` });
    await this.#deps.events.append(id, { type: "message", data: { role: "user", text: content } });
    try {
      await agent.prompt(session.agentSession, promptOf(session, content));
    } catch (error) {
      return this.#notDelivered(id, error);
    }
  }

  /** The turn of a message that did not reach the agent ends at once. */
  async #notDelivered(id: string, error: unknown): Promise<never> {
    const message = "The message did not reach the agent of the session.";
    this.#deps.log({ level: "warn", event: "agent_prompt", sessionId: id, why: String(error) });
    await this.#deps.events.append(id, { type: "error", data: { message } }, { type: "message_complete", data: {} });
    return fail("provider_unavailable", `${message} It may have ended.`, {
      remedy: `Save the state with thehood gateway snapshots ${id} --save "…", then thehood gateway stop ${id} and thehood gateway start ${id}.`,
    });
  }

  async cancel(id: string): Promise<void> {
    const session = await this.find(id);
    const agent = await this.#agent(session);
    if (agent && session.agentSession !== null) await agent.abort(session.agentSession);
  }

  /** Writes values into the running sandbox at once, and stores them in the configuration if requested. */
  async submitEnv(id: string, submission: EnvSubmission): Promise<Submitted> {
    const session = await this.find(id);
    const all = [...submission.secrets, ...submission.envVars, ...(await this.#fromVault(session, submission.stored))];
    this.#deps.known.add(
      id,
      submission.secrets.map(({ value }) => value),
    );
    const submitted = await storeSubmitted(this.#deps, session, submission);
    if (session.status === "running" && this.#deps.sandboxes.runsAgents) {
      const values = Object.fromEntries(all.map(({ key, value }) => [key, value]));
      const sandbox = await this.sandbox(session);
      await this.alone(id, () => writeEnvFile(sandbox, values));
    }
    await this.#answered(
      id,
      all.map(({ key }) => key),
    );
    return submitted;
  }

  async #fromVault(
    { configurationId }: SandboxSession,
    keys: readonly string[],
  ): Promise<{ key: string; value: string }[]> {
    const known = keys.length === 0 ? {} : await storedValues(this.#deps, configurationId);
    return keys.map((key) => {
      const value = known[key];
      return value === undefined
        ? fail("not_found", `The configuration of this session keeps no value for ${key}.`, {
            remedy: "Store one with: thehood gateway secrets CONFIGURATION --set KEY",
          })
        : { key, value };
    });
  }

  /** The user gives no values: the agent's request is closed. */
  async closeRequest(id: string): Promise<void> {
    const { requested = [] } = await this.find(id);
    await this.#answered(
      id,
      requested.map(({ key }) => key),
    );
  }

  /** The names only: no event holds a value. */
  async #answered(id: string, keys: readonly string[]): Promise<void> {
    const { store, events } = this.#deps;
    await store.changeSession(id, ({ requested = [] }) => ({ requested: afterAnswer(requested, keys) }));
    await events.append(id, { type: "env_submitted", data: { keys } });
  }

  /** The diff of the workspace against the commit that it started with, without the files that we put there. */
  async diff(id: string): Promise<string> {
    const session = await this.find(id);
    return this.alone(id, async () => workspaceDiff(await this.sandbox(session)));
  }

  alone<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.#queue.run(`box ${id}`, work);
  }

  stop(id: string): Promise<SandboxSession> {
    return this.#queue.run(id, async () => this.#stop(await this.find(id)));
  }

  async #stop(session: SandboxSession): Promise<SandboxSession> {
    const { id } = session;
    if (session.status === "stopped") return session;
    await this.alone(id, async () => {
      await this.#end(id);
      if (session.boxId !== null) await this.#deps.sandboxes.end(session.boxId);
    });
    // The next sandbox has another generation, so a token that was copied out of this one is invalid.
    await this.#become(id, "stopped", {
      generation: session.generation + 1,
      boxId: null,
      agentSession: null,
      requested: [],
    });
    this.#deps.known.forget(id);
    await this.#leases.release(id);
    return this.find(id);
  }

  async #end(id: string): Promise<void> {
    const running = this.#running.get(id);
    this.#running.delete(id);
    running?.ending.abort();
    await running?.sandbox.stop();
  }

  async #become(id: string, status: SessionStatus, change: Partial<SandboxSession>): Promise<void> {
    const { store, clock } = this.#deps;
    await store.changeSession(id, { ...change, status, updatedAt: clock.now() });
    const why = change.error ? { message: change.error } : {};
    await this.#deps.events.append(id, { type: "status", data: { status, ...why } });
  }

  /** Stops following all sandboxes without stopping them: the next process takes them over. */
  async release(): Promise<void> {
    for (const { ending } of this.#running.values()) ending.abort();
    this.#running.clear();
    await this.#leases.releaseAll();
  }
}

const boxIdOf = (sandboxes: SessionDeps["sandboxes"], { id, generation }: SandboxSession): string | undefined =>
  sandboxes.idFor({ sessionId: id, generation });

export const sandboxViewOf = (session: SandboxSession) => ({
  ...session,
  kind: kindOf(session),
  /** A session without an agent waits for nothing. */
  requested: session.status === "running" ? (session.requested ?? []) : [],
});
