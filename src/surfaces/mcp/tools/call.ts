// One call of a tool: arguments in the client's names, the operation, and the result, sent once.
import { z } from "zod";
import { FailureError, diskFailure, failureTable, plain, type Failure } from "../../../contract/index.ts";
import type { Asking } from "../../../operations/index.ts";
import type { Spelling } from "../spell.ts";
import { inside, outside } from "./names.ts";
import { load } from "./schema.ts";
import type { Tool } from "./table.ts";

/**
 * The result as text and nothing else. `content` is what every host hands to its model; a copy in
 * `structuredContent` would double what is sent, and a result that is only there is not seen by all of them.
 */
export interface ToolResult {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  readonly isError?: true;
}

const text = (value: unknown): ToolResult => ({ content: [{ type: "text", text: JSON.stringify(value) }] });

export function failed(failure: Failure, spelling?: Spelling): ToolResult {
  const { code, message } = failure;
  const remedy = spelling ? spelling.remedy(failure) : failure.remedy;
  const { retry } = failureTable[code];
  return {
    ...text({
      error: {
        code,
        message: plain(message).slice(0, 2_000),
        ...(remedy ? { remedy: plain(remedy).slice(0, 2_000) } : {}),
        retry,
      },
    }),
    isError: true,
  };
}

/** Each wrong field by the name the client knows it by. */
function refuse(error: z.ZodError, tool: Tool): ToolResult {
  const lines = error.issues.slice(0, 5).map((issue) => {
    const path = issue.path.map((part, index) =>
      typeof part === "string" ? outside(part, index === 0 ? tool.names : undefined) : String(part),
    );
    if (issue.code === "unrecognized_keys")
      return `${[...path, issue.keys.map((key) => JSON.stringify(key.slice(0, 60))).join(", ")].join(".")}: not an argument of ${tool.name}`;
    return `${path.join(".") || "arguments"}: ${issue.message}`;
  });
  return failed({
    code: "invalid_input",
    message: lines.join("; "),
    remedy: `See the input schema of ${tool.name}; nothing was changed.`,
  });
}

export async function callTool(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  asking: Asking,
  spelling: Spelling,
  fault: (error: unknown) => void,
): Promise<ToolResult> {
  try {
    const { operation, schema } = await load(tool);
    const parsed = operation.input.safeParse(inside(args, schema, tool.names));
    if (!parsed.success) return refuse(parsed.error, tool);
    return text(spelling.result(await operation.handle(parsed.data, asking)));
  } catch (error) {
    const failure = error instanceof FailureError ? error : diskFailure(error);
    if (failure) return failed(failure.failure, spelling);
    fault(error);
    return {
      ...text({
        error: {
          code: "internal_error",
          message: "A fault of the server; its stderr has the details.",
          retry: "no",
        },
      }),
      isError: true,
    };
  }
}
