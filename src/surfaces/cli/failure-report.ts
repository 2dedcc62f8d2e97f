// How a failure looks on the command line: one message, the remedy, the exit code. A fault shows its stack.
import { diskFailure, exitCodes, failureTable, plain, spellRemedy } from "../../contract/index.ts";
import type { Io } from "./spec.ts";
import { spell } from "./spell/index.ts";
import { createStyle } from "./style.ts";

export function reportFailure(error: unknown, io: Io, json: boolean): number {
  const failed = diskFailure(error);
  if (!failed) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    io.err(`thehood: internal error, please report it.\n${plain(text)}\n`);
    if (json)
      io.out(
        `${JSON.stringify({ schemaVersion: 1, ok: false, error: { code: "internal_error", message: plain(text.split("\n")[0] ?? "") } })}\n`,
      );
    return exitCodes.failure;
  }
  const { suggestions: _, ...failure } = failed.failure;
  const remedy = spellRemedy(failed.failure, spell);
  const row = failureTable[failure.code];
  if (json)
    io.out(
      `${JSON.stringify({ schemaVersion: 1, ok: false, error: { ...failure, ...(remedy === undefined ? {} : { remedy }), retry: row.retry } })}\n`,
    );
  else {
    const style = createStyle(io.color);
    io.err(`${style.red("thehood:")} ${plain(failure.message)}\n`);
    if (remedy) io.err(`${style.dim("→")} ${plain(remedy)}\n`);
  }
  return row.exit;
}
