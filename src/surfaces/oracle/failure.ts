// A refusal on the command line: what, why and the next step on stderr; with --json the same as a whole result.
import { diskFailure, plain } from "../../contract/index.ts";
import { errorResult, statusExit } from "../../contract/transport/index.ts";
import type { Io } from "./spec.ts";

export function reportFailure(error: unknown, io: Io, json: boolean): number {
  const failed = diskFailure(error);
  if (!failed) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    io.err(`oracle: internal error, please report it.\n${plain(text)}\n`);
    const message = plain(text.split("\n")[0] ?? "");
    if (json) printJson(io, errorResult({ code: "internal_error", message, remedy: null }));
    return statusExit.error;
  }
  const { code, message, remedy } = failed.failure;
  if (json) printJson(io, errorResult({ code, message, remedy: remedy ?? null }));
  io.err(`oracle: ${plain(message)}\n`);
  if (remedy !== undefined) io.err(`→ ${plain(remedy)}\n`);
  return code === "timeout" ? statusExit.timeout : statusExit.error;
}

export function printJson(io: Io, value: unknown): void {
  io.out(`${JSON.stringify(value, null, 2)}\n`);
}
