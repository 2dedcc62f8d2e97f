// One call of a tool: the arguments are parsed by the fields of the operation, the operation is performed, and the result is
// sent within its number of bytes.
import {
  fail,
  FailureError,
  diskFailure,
  failureTable,
  plainText,
  type Failure,
} from "../../../core/contract/index.ts";
import { perform, type Caller, type Context } from "../../../operations/index.ts";
import {
  defaultsElsewhere,
  fromMcp,
  mcpFields,
  mcpName,
  parseFields,
  type AnyOperation,
  type Field,
  type Fields,
  type FieldRefusal,
} from "../../../operations/define/index.ts";
import type { Spelling } from "../spell.ts";
import { splitDetail, withDetail } from "./detail.ts";
import { renamedArguments } from "./preview-arguments.ts";

const inner = (field: Field | undefined, part: string): Field | undefined =>
  field?.kind === "shape" ? field.fields[part] : field?.kind === "list" ? field.of : undefined;

/** The path of a field in the program's spelling. */
function spelled<C>(operation: AnyOperation<C>, path: FieldRefusal["path"]): string {
  const parts: string[] = [];
  let field: Field | undefined;
  for (const [index, part] of path.entries()) {
    field = index === 0 ? operation.input[String(part)] : inner(field, String(part));
    parts.push(field && typeof part === "string" ? mcpName(part, field) : String(part));
  }
  return parts.join(".");
}

/** Each wrong field by the name the program knows it by, with the accepted values and the one that was probably meant. */
function refuse<C>(operation: AnyOperation<C>, tool: string, refusals: readonly FieldRefusal[]): never {
  const lines = refusals.slice(0, 5).map(({ path, problem, accepted, near }) => {
    if (problem === "unknown") {
      const key = JSON.stringify(String(path.at(-1)).replaceAll('"', "").slice(0, 60));
      const meant = near === undefined ? "" : `; did you mean ${spelled(operation, [...path.slice(0, -1), near])}?`;
      return `${[...(path.slice(0, -1).length > 0 ? [spelled(operation, path.slice(0, -1))] : []), key].join(".")}: not an argument of ${tool}${meant}`;
    }
    const meant = near === undefined ? "" : ` (did you mean ${near}?)`;
    return `${spelled(operation, path) || "arguments"}: ${problem === "missing" ? "is needed: " : ""}must be ${accepted}${meant}`;
  });
  fail("invalid_input", lines.join("; "), {
    remedy: `See the input schema of ${tool}; nothing was changed.`,
  });
}

const fieldsOf = <C>({ input, mcp }: AnyOperation<C>): Fields => {
  const fixed = mcp?.fixed ?? {};
  return Object.fromEntries(Object.entries(mcpFields(input)).filter(([name]) => !Object.hasOwn(fixed, name)));
};

/** The arguments of a program, parsed by the fields of the operation; refused by name otherwise. */
export function toolInput<C>(operation: AnyOperation<C>, args: unknown, calledAs?: string): object {
  const { mcp, name, input } = operation;
  const tool = mcp?.tool ?? name;
  const own = fieldsOf(operation);
  const { args: given, unlisted } = renamedArguments(calledAs ?? tool, args);
  const fields = { ...own, ...Object.fromEntries(unlisted.flatMap((key) => (input[key] ? [[key, input[key]]] : []))) };
  const parsed = parseFields(fields, fromMcp(fields, given));
  if (!parsed.ok) return refuse(operation, tool, parsed.refusals);
  return { ...defaultsElsewhere("mcp", input), ...mcp?.fixed, ...parsed.value };
}

/** The operation performed, and its result as a program gets it. */
export async function toolOutput<C extends Caller>(
  operation: AnyOperation<C>,
  input: object,
  context: C,
): Promise<unknown> {
  const result = await perform(operation, input, context);
  return operation.mcp?.present ? operation.mcp.present(result as never, context) : result;
}

export const toolAnswer = async <C extends Caller>(
  operation: AnyOperation<C>,
  args: unknown,
  context: C,
  calledAs?: string,
): Promise<unknown> => toolOutput(operation, toolInput(operation, args, calledAs), context);

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

/** A refusal may quote an argument, so its text is searched for secrets like every output. */
async function withoutSecrets(failure: Failure): Promise<Failure> {
  const { redact } = await import("../../../core/secrets/index.ts");
  return { ...failure, message: redact(failure.message).text };
}

export async function callTool(
  operation: AnyOperation<Context>,
  args: Readonly<Record<string, unknown>>,
  context: Context,
  spelling: Spelling,
  fault: (error: unknown) => void,
  calledAs?: string,
): Promise<McpToolResult> {
  try {
    const { args: own, full } = splitDetail(operation, args);
    const output = await toolAnswer(operation, own, context, calledAs);
    const answer = spelling.result(full ? await withDetail(output, context) : output);
    return { ...text(answer), structuredContent: answer };
  } catch (error) {
    const failure = error instanceof FailureError ? error : diskFailure(error);
    if (failure) return failedTool(await withoutSecrets(failure.failure), spelling);
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
