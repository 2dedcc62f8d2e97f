// Changes of git's folder that the user's own git makes while a worker runs, and that start no program.
import { ConfigSyntaxError, settingKey, parseConfig, type GitConfigEntry } from "../../../platform/git/index.ts";
import type { Entry } from "./steering-files.ts";

/** A push or a switch of branches is noted in the configuration under these keys. */
const notedByGit = /^branch\.[^=]*\.(remote|merge|rebase|description)=/i;

/** Added by the user's own hand: these name a place or a person, and start no program. */
const namedByUser =
  /^(remote\.[^=]*\.(pushurl|url)=(https?:\/\/|ssh:\/\/|git:\/\/|file:\/\/|\/|[\w.-]+@)|remote\.[^=]*\.(fetch|push|tagopt|prune)=|user\.(name|email)=|submodule\.[^=]*\.(url|active)=)/i;

export function isHonestChange(path: string, old: Entry | undefined, now: Entry | undefined): boolean {
  if (path === "info/exclude") return onlyAdds(old, now);
  if (path !== "config" || old?.kind !== "file" || now?.kind !== "file" || old.mode !== now.mode) return false;
  const [before, after] = [linesOf(old.base64), linesOf(now.base64)];
  if (!before || !after) return false;
  const [added, gone] = [[...after.difference(before)], [...before.difference(after)]];
  return (
    added.every((line) => notedByGit.test(line) || namedByUser.test(line)) &&
    gone.every((line) => notedByGit.test(line))
  );
}

/** Lines that hide more files from git start nothing. */
function onlyAdds(old: Entry | undefined, now: Entry | undefined): boolean {
  if (now?.kind !== "file" || old?.kind !== "file") return false;
  const [before, after] = [old, now].map(({ base64 }) => Buffer.from(base64, "base64").toString("latin1"));
  return after?.startsWith(before?.trimEnd() ?? "") === true;
}

/** The file that is put back, with the lines that the user added to it meanwhile. */
export function withUsersLines(path: string, old: Entry | undefined, now: Entry | undefined): Entry | undefined {
  if (path !== "config" || old?.kind !== "file" || now?.kind !== "file") return old;
  const before = linesOf(old.base64);
  const entries = parsed(now.base64) ?? [];
  const added = entries.filter((one) => {
    const line = lineOf(one);
    return before?.has(line) === false && namedByUser.test(line);
  });
  if (added.length === 0) return old;
  const text = Buffer.from(old.base64, "base64").toString("utf8");
  const more = added.map(
    ({ section, subsection, name, value }) =>
      `[${section}${subsection === null ? "" : ` "${quoted(subsection)}"`}]\n\t${name} = "${quoted(value ?? "")}"\n`,
  );
  return { ...old, base64: Buffer.from(`${text}${more.join("")}`).toString("base64") };
}

const quoted = (text: string) => text.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
const lineOf = (one: GitConfigEntry) => `${settingKey(one)}=${one.value ?? ""}`;

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
  const entries = parsed(base64);
  return entries && new Set(entries.map(lineOf));
}

function parsed(base64: string): readonly GitConfigEntry[] | undefined {
  try {
    return parseConfig(Buffer.from(base64, "base64").toString("utf8"));
  } catch (error) {
    if (error instanceof ConfigSyntaxError) return undefined;
    throw error;
  }
}
