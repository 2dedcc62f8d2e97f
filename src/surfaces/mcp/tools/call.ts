// One call of a tool: arguments in the client's names, the operation, and the result, sent once.
import { FailureError, diskFailure, failureTable, plain, type Failure } from "../../../contract/index.ts";
import type { AnyOperation } from "../../../operations/define/index.ts";
import type { Context } from "../../../operations/index.ts";
import type { Spelling } from "../spell.ts";
import { answer } from "./answer.ts";

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

export async function callTool(
  operation: AnyOperation<Context>,
  args: Readonly<Record<string, unknown>>,
  context: Context,
  spelling: Spelling,
  fault: (error: unknown) => void,
): Promise<ToolResult> {
  try {
    return text(spelling.result(await answer(operation, args, context)));
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
