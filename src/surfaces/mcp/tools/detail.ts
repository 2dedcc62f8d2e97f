// `detail: "full"` on every tool whose result is the status of a run: the result, with everything about the run beside it
// . On the list of runs: each run with its whole status. The argument belongs to the tools, not to the operations: no other surface has it.
import { fail } from "../../../core/contract/index.ts";
import type { Context } from "../../../operations/index.ts";
import type { AnyOperation } from "../../../operations/define/index.ts";

/** The server's instructions say what it does. */
export const detailSchema = { enum: ["full"] } as const;

type Shaped = Pick<AnyOperation, "input"> & {
  readonly mcp?: { readonly output: object | (() => unknown) } | undefined;
};

/** `status` has an argument of this name itself, and reads the rest part by part. */
export function takesDetail({ input, mcp }: Shaped): boolean {
  const output = mcp?.output ?? {};
  if ("detail" in input) return false;
  return ("runId" in output && "state" in output) || "runs" in output;
}

type Given = Readonly<Record<string, unknown>>;

/** The arguments without `detail`, and whether everything is wanted. */
export function splitDetail(operation: Shaped, args: Given): { readonly args: Given; readonly full: boolean } {
  if (!takesDetail(operation) || !Object.hasOwn(args, "detail")) return { args, full: false };
  const { detail, ...rest } = args;
  if (detail !== "full" && detail !== "summary" && detail !== undefined && detail !== null)
    fail("invalid_input", "detail: must be summary or full", { remedy: "Leave it out for a short result." });
  return { args: rest, full: detail === "full" };
}

const mostBytes = 40_000;

/** The result with everything about its run, cut to its number of bytes; `sections` names the size of each part. */
export async function withDetail(result: unknown, { ports, folder }: Context): Promise<unknown> {
  if (typeof result !== "object" || result === null) return result;
  const { fullResult, fullRows } = await import("../../../operations/run-data/index.ts");
  await using runs = await ports.runs(folder);
  if ("runs" in result)
    return { ...result, runs: await fullRows(result.runs as [], (id) => runs.status(id), mostBytes) };
  return "runId" in result && typeof result.runId === "string"
    ? { ...result, ...fullResult(await runs.full(result.runId), mostBytes) }
    : result;
}
