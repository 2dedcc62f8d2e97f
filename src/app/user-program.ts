// Finds a small program of the user's desktop: the browser's opener, the clipboard, notices. Never one of a repository.
import { findRepository } from "../platform/git/index.ts";
import { searchPath } from "../platform/paths/index.ts";
import { findProgram } from "../platform/sandbox/index.ts";
import { readEnvironment } from "./environment.ts";

/** The whole address of the program, looked for where agents are looked for. */
export function userProgram(name: string, folder: string): string | undefined {
  const { home, variables } = readEnvironment();
  const top = findRepository(folder)?.top ?? folder;
  return findProgram(name, searchPath(variables["PATH"], top, home));
}
