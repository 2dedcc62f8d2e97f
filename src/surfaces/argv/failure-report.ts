// How a failure looks on the command line: one message, the remedy, the exit code. A fault shows its stack.
import { diskFailure, exitCodes, failureTable, plainText, spellRemedy } from "../../core/contract/index.ts";
import type { Program } from "./program.ts";
import type { Io } from "./spec.ts";
import { createStyle } from "./style.ts";

export function reportFailure(
  error: unknown,
  io: Io,
  json: boolean,
  program: Pick<Program<never>, "name" | "exit" | "spell" | "failed" | "jsonLine">,
): number {
  const failed = diskFailure(error);
  if (!failed) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    io.err(`${program.name}: internal error, please report it.\n${plainText(text)}\n`);
    const face = { code: "internal_error", message: plainText(text.split("\n")[0] ?? "") };
    if (json && program.failed) io.out(program.jsonLine(program.failed({ ...face, remedy: null })));
    else if (json) io.out(`${JSON.stringify({ schemaVersion: 1, ok: false, error: face })}\n`);
    return exitCodes.failure;
  }
  const { suggestions: _, ...failure } = failed.failure;
  const remedy = spellRemedy(failed.failure, program.spell);
  const row = failureTable[failure.code];
  const own = json
    ? program.failed?.({ code: failure.code, message: failure.message, remedy: remedy ?? null })
    : undefined;
  if (own) io.out(program.jsonLine(own));
  else if (json)
    io.out(
      `${JSON.stringify({ schemaVersion: 1, ok: false, error: { ...failure, ...(remedy === undefined ? {} : { remedy }), retry: row.retry } })}\n`,
    );
  if (!json || own) {
    const style = createStyle(io.color);
    io.err(`${style.red(`${program.name}:`)} ${plainText(failure.message)}\n`);
    if (remedy) io.err(`${style.dim("→")} ${plainText(remedy)}\n`);
  }
  return program.exit?.(failure) ?? row.exit;
}
