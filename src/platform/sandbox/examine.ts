// Examines a request before anything is started.
import { realpathSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { CommandRequest } from "../../core/contract/index.ts";
import { findProgram } from "./detect.ts";

/** Why it cannot be run, in words; undefined when all is well. */
export function examineSandbox(request: CommandRequest, path: string): string | undefined {
  const [program] = request.argv;
  if (request.argv.some((word) => word.includes("\0"))) return "An argument has a NUL character";
  if (!program) return "There is no program to run";
  if (request.stdin !== undefined && request.converse) return "Input is given at once or in a conversation";
  for (const folder of [request.cwd, ...request.writable]) {
    if (!isAbsolute(folder)) return `${folder} is not an absolute path`;
    const kind = statSync(folder, { throwIfNoEntry: false });
    if (kind === undefined) return `The folder ${folder} does not exist`;
    if (!kind.isDirectory()) return `${folder} is not a folder`;
  }
  if (request.writable.some((folder) => realpathSync(folder) === "/"))
    return "The whole disk cannot be writable";
  if (!program.includes("/") && findProgram(program, path) === undefined)
    return `The program ${program} was not found`;
  if (isAbsolute(program) && statSync(program, { throwIfNoEntry: false }) === undefined)
    return `The program ${program} does not exist`;
  return undefined;
}

/** Real paths, because a mount on a link would land beside it. */
export function settlePaths(request: CommandRequest): CommandRequest {
  return {
    ...request,
    cwd: realpathSync(request.cwd),
    writable: request.writable.map((folder) => realpathSync(folder)),
  };
}
