// The folder in which a command runs that a person asked for: always inside the repository, also through links.
import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { fail, type UserCommand } from "../../core/contract/index.ts";

const remedy = "Give a folder below the repository, such as --cwd packages/core.";

function realFolder(path: string, spelled: string): string {
  try {
    const real = realpathSync(path);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
  return fail("invalid_input", `There is no folder "${spelled}" in this repository.`, { remedy });
}

/** The same command with its folder as a path from the top, empty for the top itself. */
export const withFolder = (root: string, command: UserCommand): UserCommand =>
  command.type === "exec" ? { ...command, cwd: commandFolder(root, command.cwd) } : command;

function commandFolder(root: string, spelled: string): string {
  if (spelled === "") return "";
  const below = relative(realpathSync(root), realFolder(resolve(root, spelled), spelled));
  if (isAbsolute(below) || below === ".." || below.startsWith(`..${sep}`))
    return fail("invalid_input", `"${spelled}" is outside of the repository.`, { remedy });
  return below;
}
