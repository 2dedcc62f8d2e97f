// Paths that cannot live together: touched twice, or one name to a file system that folds case or normalises letters.
import type { Section } from "../model.ts";
import type { TreeReader } from "../tree.ts";
import type { Findings } from "./finding.ts";

const fold = (path: string): string => path.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");

/** A path and every folder above it. Not for monsters: they are refused for their length alone. */
export function withParents(path: string): string[] {
  const list: string[] = [];
  if (path.length > 4096) return [path];
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) list.push(path.slice(0, at));
  list.push(path);
  return list;
}

const isLinkLike = (section: Section): boolean =>
  section.newMode === "120000" ||
  ((section.change === "rename" || section.change === "copy") && section.body.kind === "none");

/** Paths that are gone after the patch, from where they were. */
export const removedPaths = (sections: readonly Section[]): Set<string> =>
  new Set(
    sections.flatMap(({ change, oldPath }) =>
      (change === "delete" || change === "rename") && oldPath !== null ? [oldPath] : [],
    ),
  );

export function judgeDoubles(sections: readonly Section[], findings: Findings): void {
  const written = new Map<string, Section>();
  const taken = new Map<string, Section>();
  for (const section of sections) {
    const { change, oldPath, newPath } = section;
    // git writes a change of type as a deletion and a creation; a plain file that is replaced is an edit.
    const retyped = (deletion: Section, path: string) => {
      if (deletion.oldMode !== "120000") twice(path);
      else findings.add("symlink_change", `${path} is a symbolic link and would become a file`, path);
    };
    const twice = (path: string) =>
      findings.add("duplicate_path", `${path} is touched by two sections`, path);
    if (newPath !== null && written.has(newPath)) twice(newPath);
    if (oldPath !== null && change !== "copy" && taken.has(oldPath)) twice(oldPath);
    const gone = newPath === null ? undefined : taken.get(newPath);
    const made = oldPath === null ? undefined : written.get(oldPath);
    if (change === "create" && newPath !== null && gone?.change === "delete") retyped(gone, newPath);
    if (change === "delete" && oldPath !== null && made?.change === "create") retyped(section, oldPath);
    if (newPath !== null) written.set(newPath, section);
    if (oldPath !== null && change !== "copy") taken.set(oldPath, section);
  }
  for (const path of written.keys()) {
    for (const parent of withParents(path).slice(0, -1)) {
      const above = written.get(parent);
      if (!above) continue;
      const reason = isLinkLike(above) ? "symlink_write_through" : "duplicate_path";
      findings.add(reason, `${path} lies below ${parent}, which the patch writes too`, path);
    }
  }
}

export function judgeCollisions(
  sections: readonly Section[],
  tree: TreeReader | undefined,
  findings: Findings,
): void {
  const spelled = new Map<string, string>();
  const clash = (one: string, two: string) => {
    const same = one.normalize("NFC") === two.normalize("NFC");
    findings.add(
      same ? "unicode_collision" : "casefold_collision",
      `${one} and ${two} are one name on some systems`,
      one,
    );
  };
  const fresh = new Map<string, string>();
  for (const { newPath, change } of sections) {
    if (newPath === null) continue;
    for (const path of withParents(newPath)) {
      const key = fold(path);
      const known = spelled.get(key);
      if (known === undefined) spelled.set(key, path);
      else if (known !== path) clash(path, known);
      if (change !== "modify") fresh.set(key, path);
    }
  }
  if (!tree || fresh.size === 0) return;
  const removed = removedPaths(sections);
  const exact = new Set<string>();
  const others = new Map<string, string>();
  for (const existing of tree.paths()) {
    if (removed.has(existing)) continue;
    for (const path of withParents(existing)) {
      const mine = fresh.get(fold(path));
      if (mine === undefined) continue;
      if (mine === path) exact.add(path);
      else others.set(mine, path);
    }
  }
  for (const [mine, other] of others) if (!exact.has(mine)) clash(mine, other);
}
