// Judges a patch against its tree: links in a path, uncommitted edits, and whether the files have the lines it expects.
import type { BinaryTools } from "../../contract/index.ts";
import { newEffort, applyText, type Effort } from "../apply/apply.ts";
import { applyBinary } from "../binary/binary.ts";
import { fromBytes } from "../bytes.ts";
import type { Section, TreeReader } from "../model.ts";
import { removedPaths, withParents } from "./collisions.ts";
import type { Findings } from "./finding.ts";

interface TreeContext {
  readonly tree: TreeReader;
  readonly findings: Findings;
  readonly removed: ReadonlySet<string>;
  readonly effort: Effort;
  readonly binary: BinaryTools | undefined;
}

function judgeParents({ tree, findings, removed }: TreeContext, path: string): void {
  for (const parent of withParents(path).slice(0, -1)) {
    const kind = tree.kind(parent);
    if (kind === undefined) return;
    if (kind === "directory") continue;
    if (kind === "gitlink") findings.add("submodule", `${path} is in the submodule ${parent}`, path);
    else if (removed.has(parent)) return;
    else if (kind === "symlink")
      findings.add("symlink_write_through", `${path} would be reached through the link ${parent}`, path);
    else findings.add("context_mismatch", `${parent} is a file, so ${path} cannot be`, path);
    return;
  }
}

/** The file that is changed must be a plain file without uncommitted edits. */
function judgeSource({ tree, findings }: TreeContext, section: Section, path: string): boolean {
  const kind = tree.kind(path);
  if (kind !== undefined && tree.dirty(path)) {
    findings.add("dirty_target", `${path} has uncommitted changes`, path);
  }
  if (kind === undefined) {
    const reason = tree.dirty(path) ? "dirty_target" : "context_mismatch";
    findings.add(reason, `${path} does not exist`, path);
    return false;
  }
  const link = section.oldMode === "120000";
  if (kind === "symlink") {
    if (section.change === "copy")
      findings.add("symlink_create", `${path} is a symbolic link and would be copied`, path);
    else if (section.change !== "delete") findings.add("symlink_change", `${path} is a symbolic link`, path);
    else if (!link)
      findings.add("symlink_change", `${path} is a symbolic link, and the patch takes it for a file`, path);
    else return true;
    return false;
  }
  if (kind === "gitlink") findings.add("submodule", `${path} is a submodule`, path);
  else if (kind === "directory" || kind === "other" || link)
    findings.add("context_mismatch", `${path} is not a plain file`, path);
  else return true;
  return false;
}

/** The path of a new file must be free, or freed by the same patch. */
function judgeTarget({ tree, findings, removed }: TreeContext, path: string): void {
  const kind = tree.kind(path);
  if (kind === undefined || removed.has(path)) return;
  if (kind === "directory") {
    const below = `${path}/`;
    for (const other of tree.paths()) {
      if (!other.startsWith(below) || removed.has(other)) continue;
      findings.add("context_mismatch", `${path} is a folder`, path);
      return;
    }
    return;
  }
  const reason = tree.dirty(path) ? "dirty_target" : "context_mismatch";
  findings.add(reason, `${path} exists already`, path);
}

function judgeMode({ tree, findings }: TreeContext, section: Section, path: string): void {
  if (section.newMode === null || section.oldMode === null) return;
  const actual = tree.kind(path) === "executable" ? "100755" : "100644";
  if (actual !== section.oldMode)
    findings.add("context_mismatch", `${path} has mode ${actual}, not ${section.oldMode}`, path);
}

function judgeLines({ tree, findings, effort, binary }: TreeContext, section: Section, path: string): void {
  const { body, change } = section;
  const bytes = tree.content(path);
  if (!bytes) {
    findings.add("context_mismatch", `${path} cannot be read`, path);
    return;
  }
  if (body.kind === "binary" && binary && !applyBinary(bytes, section, binary)) {
    findings.add("context_mismatch", `${path}: the binary data is not for this content`, path);
  }
  if (body.kind === "binary" || body.kind === "binary-notice") return;
  if (change !== "delete" && body.kind === "none") return;
  const applied = applyText(fromBytes(bytes), body.kind === "hunks" ? body.hunks : [], effort);
  if (!applied.ok) findings.add(applied.reason, `${path}: ${applied.message}`, path);
  else if (change === "delete" && applied.bytes.length > 0) {
    findings.add("context_mismatch", `${path} has more content than the patch deletes`, path);
  } else {
    const moved = applied.offsets.find((offset) => offset !== 0);
    if (moved !== undefined)
      findings.add("ok_offset", `${path}: a hunk fits ${moved} lines from where it says, and only there`, path);
  }
}

export function judgeTree(
  sections: readonly Section[],
  tree: TreeReader,
  binary: BinaryTools | undefined,
  findings: Findings,
): void {
  const context: TreeContext = {
    tree,
    findings,
    removed: removedPaths(sections),
    effort: newEffort(),
    binary,
  };
  for (const section of sections) {
    const { oldPath, newPath, change } = section;
    for (const path of new Set([oldPath, newPath])) if (path !== null) judgeParents(context, path);
    if (oldPath !== null && judgeSource(context, section, oldPath)) {
      judgeMode(context, section, oldPath);
      judgeLines(context, section, oldPath);
    }
    if (newPath !== null && change !== "modify") judgeTarget(context, newPath);
  }
}
