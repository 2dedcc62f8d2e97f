// The part of a checkout that a client may see: the files below the served folder, with paths relative to it.
import { relative, sep } from "node:path";
import { fail } from "../../../../core/contract/index.ts";
import type { Repository } from "../../../../platform/git/index.ts";
import { judgePath } from "../../../../platform/paths/index.ts";
import { allPaths, isHidden, withSizes, type ShowableFile } from "../files.ts";
import { findSecrets, redact, type SecretOptions } from "../../../../core/secrets/index.ts";

export interface Veil {
  readonly redact: (text: string, file: string) => string;
  /** The secrets of a file, verbatim. */
  readonly secretsIn: (text: string, file: string) => string[];
  /** A text with a secret in it is not shown at all. */
  readonly withholds: boolean;
  /** Places that were taken out so far. */
  taken(): number;
}

export const withheld = (file: string): string => `[${file} is not shown: something in it looks like a secret]`;

export function createVeil(how: "redact" | "withhold", options: SecretOptions = {}): Veil {
  let count = 0;
  return {
    redact(text, file) {
      const { text: clean, matches } = redact(text, { ...options, file });
      count += matches.length;
      return matches.length > 0 && how === "withhold" ? withheld(file) : clean;
    },
    secretsIn(text, file) {
      const found = findSecrets(text, { ...options, file });
      count += found.length;
      return found.map(({ start, end }) => text.slice(start, end));
    },
    withholds: how === "withhold",
    taken: () => count,
  };
}

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
export async function listShowable({ root, repository, prefix }: SharedFolder, path: string): Promise<Listing> {
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
