// Hooks of the user that a commit and a push of ours do not run: nobody may take the commit for one that passed them.
import { statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const ofCommit = ["pre-commit", "prepare-commit-msg", "commit-msg"];

const isProgram = (path: string): boolean => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && (process.platform === "win32" || (found.mode & 0o111) !== 0);
};

/** A warning that names them; none where there is no hook. */
export function skippedHooks(folder: string | null, pushes: boolean): string[] {
  if (folder === null) return [];
  const names = [...ofCommit, ...(pushes ? ["pre-push"] : [])].filter((name) => isProgram(join(folder, name)));
  return names.length === 0 ? [] : [`hooks of this repository that did not run: ${names.join(", ")}`];
}
