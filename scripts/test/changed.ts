// The files that changed since the tests were last known to pass: since `npm run test:all` passed here, else since the
// branch left the main branch. Uncommitted and new files count.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const greenFile = (root: string): string => join(root, ".build", "green");

/** Remembers the commit that `npm run test:all` passed on. */
export const keepGreen = (root: string, commit: string): void => writeFileSync(greenFile(root), commit);

/** Undefined outside of a git checkout. */
export function changedFiles(root: string): { since: string; files: string[] } | undefined {
  const git = (...args: string[]): string | undefined => {
    try {
      return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    } catch (error) {
      if (error instanceof Error && "status" in error) return undefined;
      throw error;
    }
  };
  const green = existsSync(greenFile(root)) ? readFileSync(greenFile(root), "utf8").trim() : "";
  const isAncestor = green !== "" && git("merge-base", "--is-ancestor", green, "HEAD") !== undefined;
  const branches = ["origin/HEAD", "origin/main", "main", "HEAD"];
  const since = isAncestor ? green : branches.map((branch) => git("merge-base", "HEAD", branch)?.trim()).find(Boolean);
  if (!since) return undefined;
  const tracked = git("diff", "--name-only", "-z", since);
  const added = git("ls-files", "--others", "--exclude-standard", "-z");
  if (tracked === undefined || added === undefined) return undefined;
  return { since, files: `${tracked}${added}`.split("\0").filter((path) => path !== "") };
}
