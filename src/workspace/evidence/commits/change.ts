// The change between two commits, to which evidence is bound: added and removed lines with their context, byte for
// byte, without their position in the file. So the digest survives a rebase, and no other change has the same one.
import { createHash } from "node:crypto";
import { fail } from "../../../core/contract/index.ts";
import { git, type Repository } from "../../../platform/git/index.ts";

export interface CommitChange {
  /** The name under which evidence is filed; white space does not count in it. */
  readonly patchId: string;
  /** SHA-256 of the change: this is what binds. */
  readonly sha256: string;
}

/** The same words everywhere: no configuration and no attribute of a repository may show a change as another one. */
const diffWords = (
  "-r -p --text --full-index --no-renames --unified=3 --diff-algorithm=myers " +
  "--no-indent-heuristic --inter-hunk-context=0 --src-prefix=a/ --dst-prefix=b/ " +
  "--submodule=short --ignore-submodules=none"
).split(" ");
const config = [
  ["diff.suppressBlankEmpty", "false"],
  ["core.quotePath", "true"],
] as const;

/** Line numbers and blob ids are left out: they change when the same change is on another base. */
function withoutPlaces(diff: Buffer): string {
  const lines = diff.toString("latin1").split("\n");
  return lines
    .filter((line) => !line.startsWith("index "))
    .map((line) => (line.startsWith("@@ ") ? "@@" : line))
    .join("\n");
}

/** Undefined where nothing changes. */
export async function changeBetween(
  repository: Repository,
  from: string,
  to: string,
): Promise<CommitChange | undefined> {
  const { stdout } = await git(repository, ["diff-tree", ...diffWords, from, to], { config });
  if (stdout.length === 0) return undefined;
  const named = (await git(repository, ["patch-id", "--stable"], { stdin: stdout })).stdout.toString("latin1");
  const sha256 = createHash("sha256")
    .update(Buffer.from(withoutPlaces(stdout), "latin1"))
    .digest("hex");
  return { patchId: named.split(" ")[0]?.trim() || sha256.slice(0, 40), sha256 };
}

export interface CommitFacts {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

/** Oldest first; a single commit for a name without dots. */
export async function commitsIn(repository: Repository, range: string): Promise<CommitFacts[]> {
  const one = range.includes("..") ? [] : ["--max-count=1"];
  const args = ["log", "--reverse", ...one, "--format=%H%x00%T%x00%P%x00%B%x00", "--end-of-options", range];
  const { stdout, exitCode } = await git(repository, args, { accept: [0, 128] });
  if (exitCode !== 0)
    fail("not_found", `There is no commit or range ${range.slice(0, 100)} in this repository.`, {
      remedy: "Name a commit, or a range such as main..feature; fetch it first if it is elsewhere.",
    });
  const parts = stdout.toString("utf8").split("\0");
  const commits: CommitFacts[] = [];
  for (let at = 0; at + 3 < parts.length; at += 4) {
    const [id = "", tree = "", parents = "", message = ""] = parts.slice(at, at + 4);
    commits.push({
      id: id.trim(),
      tree,
      parents: parents.split(" ").filter((parent) => parent !== ""),
      message,
    });
  }
  return commits;
}

/** The run that a message names in its trailer. */
export const runNamedIn = (message: string): string | undefined =>
  /^Thehood-Run: *(run_[a-z0-9]+) *$/m.exec(message)?.[1];
