// Finds a program of the user's desktop (opener, clipboard, notices), never one of a repository.
import { findRepository } from "../platform/git/index.ts";
import { searchPath } from "../platform/paths/index.ts";
import { findProgram } from "../platform/sandbox/index.ts";
import { readEnvironment } from "./environment.ts";

/** The path of the program, on the same search path as agents. */
export function userProgram(name: string, folder: string): string | undefined {
  const { home, variables } = readEnvironment();
  const top = findRepository(folder)?.top ?? folder;
  return findProgram(name, searchPath(variables["PATH"], top, home));
}
