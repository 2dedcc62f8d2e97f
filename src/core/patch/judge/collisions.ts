// Collisions between paths: touched twice, nested in each other, or the same name on a file system that folds case or
// normalises letters. The written paths form a tree of folders, so a deep path costs no more than its length.
import { isAscii } from "../bytes.ts";
import type { Section, TreeReader } from "../model.ts";
import type { Findings } from "./finding.ts";

const fold = (path: string): string =>
  isAscii(path) ? path.toLowerCase() : path.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");

/** A path and every folder above it. */
export function withParents(path: string): string[] {
  const list: string[] = [];
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) list.push(path.slice(0, at));
  list.push(path);
  return list;
}

/** Paths that do not exist after the patch: deleted files and the old names of renamed ones. */
export const removedPaths = (sections: readonly Section[]): Set<string> =>
  new Set(
    sections.flatMap(({ change, oldPath }) =>
      (change === "delete" || change === "rename") && oldPath !== null ? [oldPath] : [],
    ),
  );

export function judgeDoubles(sections: readonly Section[], findings: Findings): void {
  const written = new Map<string, Section>();
  const taken = new Map<string, Section>();
  const twice = (path: string) => findings.add("duplicate_path", `${path} is touched by two sections`, path);
  // git writes a change of type as a deletion and a creation. A plain file that is replaced this way is a duplicate.
  const retyped = (deletion: Section, path: string) => {
    if (deletion.oldMode !== "120000") twice(path);
    else findings.add("symlink_change", `${path} is a symbolic link and would become a file`, path);
  };
  for (const section of sections) {
    const { change, oldPath, newPath } = section;
    if (newPath !== null && written.has(newPath)) twice(newPath);
    if (oldPath !== null && change !== "copy" && taken.has(oldPath)) twice(oldPath);
    const gone = newPath === null ? undefined : taken.get(newPath);
    const made = oldPath === null ? undefined : written.get(oldPath);
    if (change === "create" && newPath !== null && gone?.change === "delete") retyped(gone, newPath);
    if (change === "delete" && oldPath !== null && made?.change === "create") retyped(section, oldPath);
    if (newPath !== null) written.set(newPath, section);
    if (oldPath !== null && change !== "copy") taken.set(oldPath, section);
  }
}

/** A folder or file that the patch writes, under its folded name. */
interface PathNode {
  readonly path: string;
  readonly children: Map<string, PathNode>;
  section?: Section;
  /** The patch may add this spelling to the tree. */
  fresh: boolean;
  /** The tree has exactly this spelling. */
  exact: boolean;
  /** Another spelling that the tree has. */
  other?: string;
}

const newNode = (path: string): PathNode => ({ path, children: new Map(), fresh: false, exact: false });

function clash(findings: Findings, one: string, two: string): void {
  const same = one.normalize("NFC") === two.normalize("NFC");
  const reason = same ? "unicode_collision" : "casefold_collision";
  findings.add(reason, `${one} and ${two} are one name on some systems`, one);
}

function insertPath(root: PathNode, section: Section, path: string, findings: Findings): void {
  const names = fold(path).split("/");
  let node = root;
  let end = -1;
  for (const name of names) {
    end = path.indexOf("/", end + 1);
    const here = end === -1 ? path : path.slice(0, end);
    let next = node.children.get(name);
    if (!next) {
      next = newNode(here);
      node.children.set(name, next);
    } else if (next.path !== here) clash(findings, here, next.path);
    if (section.change !== "modify") next.fresh = true;
    node = next;
  }
  node.section = section;
}

const isLinkLike = ({ newMode, change, body }: Section): boolean =>
  newMode === "120000" || ((change === "rename" || change === "copy") && body.kind === "none");

function judgeNesting(node: PathNode, above: PathNode | undefined, findings: Findings): void {
  if (above?.section && node.section) {
    const reason = isLinkLike(above.section) ? "symlink_write_through" : "duplicate_path";
    findings.add(reason, `${node.path} is below ${above.path}, which the patch writes too`, node.path);
  }
  const holder = node.section ? node : above;
  for (const child of node.children.values()) judgeNesting(child, holder, findings);
}

/** Records how the tree spells each written path. */
function compare(root: PathNode, existing: string): void {
  let node = root;
  let exact = true;
  let end = -1;
  for (const name of fold(existing).split("/")) {
    const next = node.children.get(name);
    if (!next) return;
    end = existing.indexOf("/", end + 1);
    const here = end === -1 ? existing : existing.slice(0, end);
    exact &&= here === next.path;
    if (exact) next.exact = true;
    else next.other = here;
    node = next;
  }
}

function judgeSpelling(node: PathNode, findings: Findings): void {
  if (node.fresh && node.other !== undefined && !node.exact) clash(findings, node.path, node.other);
  for (const child of node.children.values()) judgeSpelling(child, findings);
}

export function judgeCollisions(sections: readonly Section[], tree: TreeReader | undefined, findings: Findings): void {
  const root = newNode("");
  for (const section of sections) {
    if (section.newPath !== null) insertPath(root, section, section.newPath, findings);
  }
  judgeNesting(root, undefined, findings);
  if (!tree || !sections.some(({ change }) => change !== "modify")) return;
  const removed = removedPaths(sections);
  for (const existing of tree.paths()) if (!removed.has(existing)) compare(root, existing);
  judgeSpelling(root, findings);
}
