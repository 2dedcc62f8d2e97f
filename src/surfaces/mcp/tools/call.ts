// One call of a tool: arguments in the client's names, the operation, and the result, sent once.
import {
  FailureError,
  diskFailure,
  failureTable,
  plainText,
  type Failure,
} from "../../../core/contract/index.ts";
import type { AnyOperation } from "../../../operations/define/index.ts";
import type { Context } from "../../../operations/index.ts";
import type { Spelling } from "../spell.ts";
import { toolAnswer } from "./answer.ts";

/** The result is data; the text is written from it, for hosts that hand only text to their model. */
export interface McpToolResult {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  /** A failure is none of the tool's results, so that it has text only. */
  readonly structuredContent?: unknown;
  readonly isError?: true;
}

const text = (value: unknown): McpToolResult => ({
  content: [{ type: "text", text: JSON.stringify(value) }],
});

export function failedTool(failure: Failure, spelling?: Spelling): McpToolResult {
  const { code, message } = failure;
  const remedy = spelling ? spelling.remedy(failure) : failure.remedy;
  const { retry } = failureTable[code];
  return {
    ...text({
      error: {
        code,
        message: plainText(message).slice(0, 2_000),
        ...(remedy ? { remedy: plainText(remedy).slice(0, 2_000) } : {}),
        retry,
      },
    }),
    isError: true,
  };
}

export async function callTool(
  operation: AnyOperation<Context>,
  args: Readonly<Record<string, unknown>>,
  context: Context,
  spelling: Spelling,
  fault: (error: unknown) => void,
): Promise<McpToolResult> {
  try {
    const told = spelling.result(await toolAnswer(operation, args, context));
    return { ...text(told), structuredContent: told };
  } catch (error) {
    const failure = error instanceof FailureError ? error : diskFailure(error);
    if (failure) return failedTool(failure.failure, spelling);
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
