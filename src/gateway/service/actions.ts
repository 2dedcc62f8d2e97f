// Actions of connected integrations: an agent asks, the user's list and its risks decide, and the gateway performs each once,
// with the keys that no sandbox has.
import { randomUUID } from "node:crypto";
import { fail } from "../../core/contract/index.ts";
import { marker } from "../../core/secrets/index.ts";
import { canonicalJson, sha256 } from "../../platform/store/index.ts";
import {
  actionMode,
  integrationVault,
  neededKeys,
  outsideRequest,
  type ActionRequest,
  type Integration,
  type IntegrationAction,
  type ToolResult,
} from "../rules/index.ts";
import type { SandboxSession } from "../store/index.ts";
import type { Calls } from "./calls.ts";
import type { SessionDeps } from "./deps.ts";
import { storedValues } from "./env.ts";

export interface ActionInvocation {
  readonly id: string;
  readonly status: "pending" | "completed" | "failed";
  readonly integration: string;
  readonly action: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: string;
}

interface Pending extends ActionInvocation {
  readonly sessionId: string;
  readonly until: number;
}

const tool = "actions.invoke";
const pendingMs = 5 * 60_000;
const mostPending = 10;
const mostBytes = 1 << 20;
const silentMs = 60_000;

export class Actions {
  readonly #deps: SessionDeps;
  readonly #calls: Calls;
  /** A waiting action is only in memory: after a restart it has not happened, and the agent asks again. */
  readonly #pending = new Map<string, Pending>();
  constructor(deps: SessionDeps, calls: Calls) {
    this.#deps = deps;
    this.#calls = calls;
  }

  available() {
    const integrations = this.#deps.integrations().map(({ id, name, actions }) => ({
      integration: id,
      displayName: name,
      actions: actions.map((one) => ({
        name: one.id,
        description: one.description,
        riskLevel: one.risk,
        mode: actionMode(one),
        params: [...one.path.matchAll(/\{(\w+)\}/g)].map(([, key]) => key),
      })),
    }));
    return { integrations };
  }

  guide(id: string): { readonly integration: string; readonly guide: string } {
    const { guide, name, actions } = this.#integration(id);
    const list = actions.map((one) => `- ${one.id} (${one.risk}): ${one.description}`).join("\n");
    return { integration: id, guide: `# ${name}\n\n${guide}\n\n${list}\n` };
  }

  #integration(id: string): Integration {
    const all = this.#deps.integrations();
    const names = all.map((one) => one.id).join(", ");
    return (
      all.find((one) => one.id === id) ??
      fail("not_found", `The integration ${id.slice(0, 100)} is not connected.`, {
        remedy: names === "" ? "No integration is connected to this gateway." : `Connected are: ${names}.`,
      })
    );
  }

  /** The result, or an invocation that waits for the user. */
  async invoke(session: SandboxSession, request: ActionRequest): Promise<ActionInvocation | "conflict" | "later"> {
    const id = request.tool_call_id ?? randomUUID();
    const key = this.#callOf(session.id, id, request);
    const over = await this.#deps.store.ended(key);
    if (over?.kind === "conflict") return "conflict";
    if (over?.kind === "replay") return invocationOf(id, request, over.result);
    const integration = this.#integration(request.integration);
    const action =
      integration.actions.find((one) => one.id === request.action) ??
      fail("not_found", `${integration.id} has no action ${request.action.slice(0, 100)}.`);
    const mode = actionMode(action);
    if (mode === "deny") {
      await this.#note(session.id, { ...request, id, status: "denied" });
      return fail("permission_denied", `The action ${action.id} of ${integration.id} is dangerous and is denied.`);
    }
    return mode === "allow" ? this.#perform(session, id, request) : this.#wait(session, id, request);
  }

  #callOf(sessionId: string, id: string, { integration, action, params }: Omit<ActionRequest, "tool_call_id">) {
    return {
      sessionId,
      callId: `action:${id}`,
      tool,
      argsHash: sha256(canonicalJson({ integration, action, params })),
    };
  }

  async #wait(session: SandboxSession, id: string, request: ActionRequest): Promise<ActionInvocation | "conflict"> {
    this.#forgetOld();
    const known = this.#pending.get(`${session.id}\n${id}`);
    if (known) return canonicalJson(argsOf(known)) === canonicalJson(argsOf(request)) ? shown(known) : "conflict";
    if (this.pending(session.id).length >= mostPending)
      fail("throttled", `${mostPending} actions of this session wait for the user already.`);
    const waiting = { ...argsOf(request), id, status: "pending", sessionId: session.id } as const;
    this.#pending.set(`${session.id}\n${id}`, { ...waiting, until: this.#deps.clock.now() + pendingMs });
    await this.#note(session.id, waiting);
    return shown({ ...waiting, until: 0 });
  }

  #forgetOld(): void {
    const now = this.#deps.clock.now();
    for (const [key, { until }] of this.#pending) if (until <= now) this.#pending.delete(key);
  }

  pending(sessionId: string): ActionInvocation[] {
    this.#forgetOld();
    return [...this.#pending.values()].filter((one) => one.sessionId === sessionId).map(shown);
  }

  /** The state of an invocation of this session. */
  async find(sessionId: string, id: string): Promise<ActionInvocation> {
    const waiting = this.pending(sessionId).find((one) => one.id === id);
    if (waiting) return waiting;
    const rows = await this.#deps.store.invocations(sessionId);
    const row = rows.find((one) => one.tool === tool && one.callId === `action:${id}`);
    if (!row) return fail("not_found", "There is no such action, or nobody decided it in time. It was not performed.");
    const args = { integration: "", action: "", params: {} };
    return row.result ? invocationOf(id, args, row.result) : { ...args, id, status: "pending" };
  }

  /** The user decides an action that waits. */
  async decide(
    session: SandboxSession,
    id: string,
    approve: boolean,
  ): Promise<ActionInvocation | "conflict" | "later"> {
    const key = `${session.id}\n${id}`;
    this.#forgetOld();
    const waiting = this.#pending.get(key) ?? fail("not_found", "No action with this id waits for a decision.");
    this.#pending.delete(key);
    if (approve) return this.#perform(session, id, waiting);
    const result = { success: false, result: "The user denied this action." };
    const now = this.#deps.clock.now();
    const call = { ...this.#callOf(session.id, id, waiting), now, leaseUntil: now };
    await this.#deps.store.perform(call, { kind: "refused", result });
    await this.#note(session.id, { ...argsOf(waiting), id, status: "denied" });
    return invocationOf(id, waiting, result);
  }

  async #perform(
    session: SandboxSession,
    id: string,
    request: Omit<ActionRequest, "tool_call_id">,
  ): Promise<ActionInvocation | "conflict" | "later"> {
    const integration = this.#integration(request.integration);
    const action = integration.actions.find((one) => one.id === request.action);
    if (!action) return fail("not_found", "The action is not connected any more.");
    const end = await this.#calls.call(this.#callOf(session.id, id, request), () => ({
      kind: "world",
      perform: async () => ({ result: await this.#send(integration, action, request.params), effects: 1 }),
      // A read may be repeated; whether a write arrived is not known.
      reconcile: async () => ({ kind: action.risk === "read" ? "not_begun" : "unknown" }),
    }));
    if (end.kind !== "answer") return end.kind;
    const invocation = invocationOf(id, request, end.result);
    if (!end.replayed) await this.#note(session.id, { ...argsOf(request), id, status: invocation.status });
    return invocation;
  }

  async #send(
    integration: Integration,
    action: IntegrationAction,
    params: Readonly<Record<string, unknown>>,
  ): Promise<ToolResult> {
    const values = await storedValues(this.#deps, integrationVault(integration.id));
    const lost = neededKeys(integration).find((key) => values[key] === undefined);
    if (lost !== undefined)
      return { success: false, result: `The user has not stored ${lost} for ${integration.id} yet.` };
    const request = outsideRequest(integration, action, params, values);
    if ("missing" in request) return { success: false, result: `The parameter ${request.missing} is missing.` };
    const { url, body, ...init } = request;
    const answer = await fetch(url, {
      ...init,
      ...(body === undefined ? {} : { body }),
      redirect: "manual",
      signal: AbortSignal.timeout(silentMs),
    }).catch(() => fail("network_lost", `${integration.id} cannot be reached.`));
    let text = Buffer.from(await answer.arrayBuffer())
      .subarray(0, mostBytes)
      .toString("utf8");
    for (const value of Object.values(values)) text = text.replaceAll(value, marker);
    return { success: answer.ok, result: text, data: { status: answer.status } };
  }

  async #note(sessionId: string, { id, status, ...request }: Omit<ActionInvocation, "status"> & { status: string }) {
    await this.#deps.events.append(sessionId, { type: "action", data: { id, status, ...argsOf(request) } });
  }
}

const argsOf = ({ integration, action, params }: Omit<ActionRequest, "tool_call_id">) => ({
  integration,
  action,
  params,
});

const shown = ({ sessionId: _session, until: _until, ...rest }: Pending): ActionInvocation => rest;

function invocationOf(
  id: string,
  request: Omit<ActionRequest, "tool_call_id">,
  { success, result }: ToolResult,
): ActionInvocation {
  let value: unknown = result;
  if (/^\s*[[{]/.test(result))
    try {
      value = JSON.parse(result);
    } catch {
      value = result;
    }
  return success
    ? { ...argsOf(request), id, status: "completed", result: value }
    : { ...argsOf(request), id, status: "failed", error: result };
}
