// The part of a checkout a guest may see: the files below the served folder, by names below it.
import { relative, sep } from "node:path";
import { fail } from "../../../../core/contract/index.ts";
import type { Repository } from "../../../../platform/git/index.ts";
import { judgePath } from "../../../../platform/paths/index.ts";
import { allPaths, isHidden, withSizes, type ShowableFile } from "../files.ts";

export interface SharedFolder {
  /** Real path of the served folder. */
  readonly root: string;
  readonly repository: Repository | undefined;
  /** From the top of the repository to the root, with a slash at its end; empty at the top. */
  readonly prefix: string;
}

export function sharedFolder(root: string, repository: Repository | undefined): SharedFolder {
  const below = repository ? relative(repository.top, root).split(sep).join("/") : "";
  return { root, repository, prefix: below === "" ? "" : `${below}/` };
}

interface Listing {
  readonly files: readonly ShowableFile[];
  readonly hidden: number;
}

/** The files below `path`, without those that are never shown; these are counted. */
export async function listShowable(
  { root, repository, prefix }: SharedFolder,
  path: string,
): Promise<Listing> {
  const under = await folder(root, path);
  const mine = (await allPaths(root, repository))
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((name) => under === "" || name === under || name.startsWith(`${under}/`));
  const shown = mine.filter((name) => !isHidden(name));
  return { files: withSizes(root, shown), hidden: mine.length - shown.length };
}

/** A path that narrows: judged as any path is, then without decoration. */
async function folder(root: string, path: string): Promise<string> {
  const plain = path.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "");
  if (plain === "" || plain === ".") return "";
  const { allowed, reason } = judgePath(root, plain, "read");
  if (!allowed)
    fail(
      reason === "not_found" ? "not_found" : "permission_denied",
      `path: ${JSON.stringify(path)} cannot be seen here: ${reason}.`,
      {
        remedy: "Give a path of this checkout; thehood_repo_tree lists them.",
      },
    );
  if (isHidden(`${plain}/x`) || isHidden(plain))
    fail("permission_denied", `path: ${JSON.stringify(path)} is not shown to programs.`, {
      remedy: "Secrets, dependencies, build output and git's own files stay with the user.",
    });
  return plain;
}
