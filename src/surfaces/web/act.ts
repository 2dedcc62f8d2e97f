// Performs one request of the page: an allowed operation, with its input parsed by the operation's fields.
import { fail, FailureError, failureTable, spellAll, spellRemedy, isRecord } from "../../core/contract/index.ts";
import { accepted, parseFields, type AnyOperation, type Fields } from "../../operations/define/index.ts";
import { advanceDetached, operations, perform, type Context } from "../../operations/index.ts";
import { oracleOperations, type OracleContext } from "../../operations/oracle/index.ts";
import { redact } from "../../core/secrets/index.ts";
import type { PageSession } from "./sessions.ts";
import type { PageServerDeps } from "./service.ts";

type OperationName = (typeof operations)[number]["name"];

export type PageReach = "all" | "gates";

const gates = ["home", "gate", "timeline", "changes", "approve", "revise", "reject"] as const;
const all = [
  ...gates,
  "artifact page",
  "web devices",
  "report",
  "run",
  "continue",
  "abort",
  "undo",
  "commit",
  "pr",
  "access",
  "teams",
  "roles",
  "check command",
  "check patch",
  "check secrets",
  "log verify",
  "gateway session",
  "gateway send",
  "gateway answer",
  "gateway evidence",
  "gateway snapshots",
  "gateway diff",
  "gateway ledger",
  "gateway actions",
] as const satisfies readonly OperationName[];

export const allowedFor: Readonly<Record<PageReach, readonly string[]>> = { gates, all };

/** The operations of `oracle` that read sessions. */
export const oracleNames: readonly string[] = ["status", "session"];

export interface OperationRequest {
  readonly operation: string;
  readonly repo?: string;
  readonly input?: unknown;
}

export interface PageCaller {
  readonly session: PageSession;
  readonly reach: PageReach;
  readonly signal: AbortSignal;
}

export function parseRequest(text: string): OperationRequest {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    given = undefined;
  }
  if (!isRecord(given) || typeof given["operation"] !== "string")
    return fail("invalid_input", "The body must be JSON with the name of an operation.");
  const { operation, repo, input } = given;
  if (repo !== undefined && typeof repo !== "string") return fail("invalid_input", "repo: must be a folder.");
  return { operation, ...(repo === undefined ? {} : { repo }), input };
}

/** The page sends the text of an input that names a file at a terminal. */
function withSources(fields: Fields, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.entries(input).map(([name, value]) => {
    if (fields[name]?.kind !== "source") return [name, value] as const;
    const text = typeof value === "string" ? value : "";
    return [name, { given: true, name: undefined, bytes: async () => new TextEncoder().encode(text) }] as const;
  });
  const empty = { given: false, name: undefined, bytes: async () => new Uint8Array() };
  const missing = Object.entries(fields).filter(
    ([name, { kind, optional }]) => kind === "source" && optional !== true && !(name in input),
  );
  return { ...Object.fromEntries(missing.map(([name]) => [name, empty])), ...Object.fromEntries(given) };
}

function parsed({ input: fields }: Pick<AnyOperation, "input">, input: unknown): object {
  const given = input === undefined ? {} : input;
  if (!isRecord(given)) return fail("invalid_input", "input: must be an object.");
  const result = parseFields(fields, withSources(fields, given));
  if (result.ok) return result.value;
  const [first] = result.refusals;
  const name = String(first?.path[0] ?? "");
  const wanted = fields[name] ? accepted(fields[name]) : (first?.accepted ?? "something else");
  return fail("invalid_input", `${first?.path.join(".") || "input"}: must be ${wanted}.`);
}

/** Allows only repositories in which this user has runs, and the one in which the server was started. */
async function folderOf(deps: PageServerDeps, repo: string | undefined): Promise<string> {
  if (repo === undefined) return deps.folder;
  const known = await deps.ports.repositories(deps.folder);
  return known.includes(repo) ? repo : fail("not_found", "You have no runs in this repository.");
}

export async function contextFor(deps: PageServerDeps, repo: string | undefined, caller: PageCaller): Promise<Context> {
  const { ports, spell } = deps;
  const { signal, session, reach } = caller;
  const tell = (): void => undefined;
  return {
    ports,
    folder: await folderOf(deps, repo),
    named: repo !== undefined,
    actor: {
      kind: "person",
      surface: "web",
      name: `session ${session.number}${session.device === undefined ? "" : `, device ${session.device}`}${reach === "gates" ? ", phone" : ""}`,
    },
    signal,
    spell,
    tell,
    advance: (runs, runId, how) => advanceDetached(runs, runId, how, { ports, signal, tell }),
  };
}

export async function act(deps: PageServerDeps, request: OperationRequest, caller: PageCaller): Promise<unknown> {
  const refused = () =>
    fail("permission_denied", `The page cannot perform "${request.operation.slice(0, 60)}".`, {
      remedy: "Type it in a terminal.",
    });
  const [program, ...rest] = request.operation.split(" ");
  if (program === "oracle") {
    const known: readonly AnyOperation<OracleContext>[] = oracleOperations;
    const operation = known.find(({ name }) => name === rest.join(" "));
    if (!operation || caller.reach !== "all" || !oracleNames.includes(operation.name)) return refused();
    return perform(operation, parsed(operation, request.input), await deps.oracle(caller.signal));
  }
  const operation = operations.find(({ name }) => name === request.operation);
  if (!operation || !allowedFor[caller.reach].includes(operation.name)) return refused();
  const context = await contextFor(deps, request.repo, caller);
  const result = await perform(operation as never, parsed(operation, request.input), context);
  return spellAll(result, deps.spell);
}

/** A failure for the page, with the same message as on every other surface. */
export function failedAct(error: unknown, deps: PageServerDeps): { readonly status: number; readonly body: object } {
  if (error instanceof FailureError) {
    const { code, message } = error.failure;
    const remedy = spellRemedy(error.failure, deps.spell) ?? null;
    // A refusal may quote what the page sent, so its text is searched for secrets like every output.
    const body = { ok: false, code, message: redact(message).text, remedy };
    return { status: failureTable[code].http, body };
  }
  deps.fault(error);
  const message = "The server had an internal error; its terminal shows the details.";
  return { status: 500, body: { ok: false, code: "fault", message, remedy: null } };
}
