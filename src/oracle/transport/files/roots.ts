// Patterns that lead out of the folder of a run, by the other folder that the user named with --root.
import { existsSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";
import type { RunRequest } from "../../../core/contract/transport/index.ts";

interface OtherPatterns {
  readonly label: string;
  readonly root: string;
  readonly patterns: readonly string[];
}

export interface Split {
  readonly own: readonly string[];
  readonly others: readonly OtherPatterns[];
}

export const isBelow = (root: string, path: string) => path === root || path.startsWith(root + sep);

/** The last name of the folder; numbered where the project has an entry of that name. */
function labelOf(cwd: string, root: string, used: ReadonlySet<string>): string {
  const name = basename(root).replaceAll(/[^\p{L}\p{N}._-]+/gu, "-") || "root";
  for (let number = 1; ; number += 1) {
    const label = number === 1 ? name : `${name}-${number}`;
    if (!used.has(label) && !existsSync(join(cwd, label))) return label;
  }
}

/** A pattern below the run's own folder stays there; any other belongs to the folder it leads to. */
export function splitPatterns({ cwd, files }: Pick<RunRequest, "cwd" | "files">): Split {
  const used = new Set<string>();
  const others = files.roots.map((root) => {
    const label = labelOf(cwd, root, used);
    used.add(label);
    return { label, root, patterns: [] as string[] };
  });
  const own = files.patterns.filter((given) => {
    const [, not = "", path = ""] = /^(!?)(.*)$/s.exec(given) ?? [];
    const place = resolve(cwd, path);
    const other = isBelow(cwd, place) ? undefined : others.find(({ root }) => isBelow(root, place));
    other?.patterns.push(not + (relative(other.root, place).split(sep).join("/") || "."));
    return other === undefined;
  });
  // A name to leave out, without a folder, is meant everywhere.
  const everywhere = own.filter((pattern) => /^![^/]+$/.test(pattern));
  return {
    own,
    others: others
      .filter(({ patterns }) => patterns.some((pattern) => !pattern.startsWith("!")))
      .map((other) => ({ ...other, patterns: [...other.patterns, ...everywhere] })),
  };
}
