// Changes of git's folder that the user's own git makes while a worker runs, and that start no program.
import { ConfigSyntaxError, keyOf, parseConfig } from "../../git/index.ts";
import type { Entry } from "./steering.ts";

/** A push or a switch of branches is noted in the configuration under these keys. */
const notedByGit = /^branch\.[^=]*\.(remote|merge|rebase|description)=/i;

export function isHonestChange(path: string, old: Entry | undefined, now: Entry | undefined): boolean {
  if (path !== "config" || old?.kind !== "file" || now?.kind !== "file" || old.mode !== now.mode)
    return false;
  const [before, after] = [linesOf(old.base64), linesOf(now.base64)];
  if (!before || !after) return false;
  return [...before.symmetricDifference(after)].every((line) => notedByGit.test(line));
}

/** git writes no other keys than these when it clones a submodule. */
const writtenByClone =
  /^(core\.(repositoryformatversion|filemode|bare|logallrefupdates|worktree|ignorecase|precomposeunicode)|remote\.[^=]*\.(url|fetch)|branch\.[^=]*\.(remote|merge))=/i;

/** The user may add a submodule while a worker runs. A folder that holds more than a clone does was planted. */
export function isFreshClone(files: Readonly<Record<string, Entry>>): boolean {
  return Object.entries(files).every(([path, entry]) => {
    if (path === "info/exclude" || (path.startsWith("hooks/") && path.endsWith(".sample"))) return true;
    const lines = path === "config" && entry.kind === "file" ? linesOf(entry.base64) : undefined;
    return lines !== undefined && [...lines].every((line) => writtenByClone.test(line));
  });
}

function linesOf(base64: string): Set<string> | undefined {
  try {
    const entries = parseConfig(Buffer.from(base64, "base64").toString("utf8"));
    return new Set(entries.map((one) => `${keyOf(one)}=${one.value ?? ""}`));
  } catch (error) {
    if (error instanceof ConfigSyntaxError) return undefined;
    throw error;
  }
}
