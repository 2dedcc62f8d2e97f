// Finds folders that import each other. The entries of a folder (its files and subfolders) are the nodes; an import
// between two entries is an arrow. A circle of arrows that passes through a subfolder is a knot.
import { join, relative, sep } from "node:path";

export interface Arrow {
  readonly from: string;
  readonly to: string;
}

/** Arrows between the entries of each folder, from imports between files. Both ends are absolute paths. */
function byFolder(root: string, imports: readonly Arrow[]): Map<string, Map<string, Set<string>>> {
  const folders = new Map<string, Map<string, Set<string>>>();
  for (const { from, to } of imports) {
    const [a, b] = [relative(root, from).split(sep), relative(root, to).split(sep)];
    let depth = 0;
    while (depth < a.length - 1 && a[depth] === b[depth]) depth += 1;
    const [start, end] = [a[depth] ?? "", b[depth] ?? ""];
    if (start === end) continue;
    const folder = join(root, ...a.slice(0, depth));
    const arrows = folders.get(folder) ?? new Map<string, Set<string>>();
    folders.set(folder, arrows.set(start, (arrows.get(start) ?? new Set<string>()).add(end)));
  }
  return folders;
}

const isFolder = (entry: string): boolean => !/\.tsx?$/.test(entry);

/** Everything that can be reached from an entry by its arrows. */
function reached(arrows: Map<string, Set<string>>, start: string): Set<string> {
  const found = new Set<string>();
  const open = [...(arrows.get(start) ?? [])];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop())
    if (!found.has(entry)) {
      found.add(entry);
      open.push(...(arrows.get(entry) ?? []));
    }
  return found;
}

/** One line a knot: the folder, and the entries in it that import each other. */
export function folderKnots(root: string, imports: readonly Arrow[]): string[] {
  const knots = new Set<string>();
  for (const [folder, arrows] of byFolder(root, imports))
    for (const entry of [...arrows.keys()].filter(isFolder)) {
      const reach = reached(arrows, entry);
      if (!reach.has(entry)) continue;
      const circle = [...reach].filter((other) => reached(arrows, other).has(entry)).sort();
      knots.add(`${relative(root, folder) || "."}: ${circle.join(" ⇄ ")}`);
    }
  return [...knots].sort();
}
