// The two tools: their schemas as clients see them, and one call of either.
import { z } from "zod";
import { FailureError, diskFailure, type Failure } from "../../../core/contract/index.ts";
import type { RpcCaller } from "../wire/session.ts";
import { consult, consultInput, consultOutput, type ConsultOutput } from "./consult.ts";
import type { OracleMcpDeps } from "./index.ts";
import { rootsOf } from "./roots.ts";
import { sessions, sessionsInput, sessionsOutput } from "./sessions.ts";
import type { ToolName } from "./text.ts";

const tools = [
  {
    name: "consult",
    title: "Consult a model",
    description:
      "Ask a model, with files of the project attached. Returns the answer, or the session to poll when it takes longer. With diff options a unified diff in the answer is extracted, checked and, if asked for, applied and committed.",
    input: consultInput,
    output: consultOutput,
    // It can change the work tree and push when it is asked to, and data leaves the machine.
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
  {
    name: "sessions",
    title: "Sessions",
    description:
      "List the sessions of earlier and running consultations, show the result of one, or cancel one.",
    input: sessionsInput,
    output: sessionsOutput,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
] as const satisfies readonly { readonly name: ToolName; readonly [key: string]: unknown }[];

export const listed = {
  tools: tools.map(({ name, title, description, input, output, annotations }) => ({
    name,
    title,
    description,
    annotations,
    inputSchema: z.toJSONSchema(input, { io: "input" }),
    outputSchema: z.toJSONSchema(output, { io: "output" }),
  })),
};

const text = (told: string) => [{ type: "text", text: told }];
const answered = (value: object, told: string) => ({ content: text(told), structuredContent: value });

const failed = ({ code, message, remedy }: Failure) => ({
  content: text(`${code}: ${message}${remedy ? ` ${remedy}` : ""}`),
  isError: true,
});

/** Each wrong argument by its name. */
function parse<T>(name: ToolName, schema: z.ZodType<T>, args: unknown): T {
  const parsed = schema.safeParse(args ?? {});
  if (parsed.success) return parsed.data;
  const message = parsed.error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.map(String).join(".") || "arguments"}: ${issue.message}`)
    .join("; ");
  throw new FailureError({
    code: "invalid_input",
    message: `${message}.`,
    remedy: `See the input schema of ${name}; nothing was sent.`,
  });
}

/** The text is all that some clients show to a model: an end that is no success comes first in it. */
function textOf({ sessionId, status, answer, result, preview }: ConsultOutput): string {
  if (preview !== null)
    return `Nothing was sent. ${preview.files.length} files, about ${preview.tokens.count} tokens, to ${preview.target} as ${preview.model}.`;
  if (result === null || result.status === "success") return answer ?? `Session ${sessionId} is ${status}.`;
  const { diffReason, gitApplyError, gitCommitError, error } = result;
  const why = [diffReason, gitApplyError, gitCommitError, error?.message, error?.remedy].filter(Boolean);
  return [`${status}: ${why.join("; ")} (session ${sessionId})`, answer].filter(Boolean).join("\n\n");
}

/** A failure is the tool's answer; a fault goes up and is the protocol's error. */
export async function performTool(
  name: ToolName,
  params: Readonly<Record<string, unknown>>,
  caller: RpcCaller,
  deps: OracleMcpDeps,
): Promise<object> {
  try {
    const args = params["arguments"];
    if (name === "sessions") {
      const told = await sessions(parse(name, sessionsInput, args), await deps.transportAt(deps.cwd));
      return answered(told, told.sessions.map(({ id, status }) => `${id}: ${status}`).join("\n"));
    }
    const input = parse(name, consultInput, args);
    const found = await rootsOf(params["inputResponses"], caller, deps);
    if ("resultType" in found) return found;
    const told = await consult(input, {
      transportAt: deps.transportAt,
      mayPush: deps.mayPush,
      roots: found.roots,
      signal: caller.signal,
    });
    return answered(told, textOf(told));
  } catch (error) {
    const failure = error instanceof FailureError ? error : diskFailure(error);
    if (failure) return failed(failure.failure);
    throw error;
  }
}
