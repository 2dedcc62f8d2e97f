// The last question before the checkout is touched: does git's result equal ours, and what was approved?
import { applyHunks, type Patch, type Section } from "../../../core/patch/index.ts";
import { fromBytePath, readBlobs, type RawChange, type Repository } from "../../../platform/git/index.ts";

interface Approved {
  readonly patch: Patch;
  readonly expectedTree?: string;
  readonly approvedPaths?: readonly string[];
}

/** Why the result is not what was approved; undefined when it is. */
export async function differs(
  repository: Repository,
  approved: Approved,
  result: { readonly tree: string; readonly changes: readonly RawChange[] },
): Promise<string | undefined> {
  if (approved.expectedTree !== undefined && approved.expectedTree !== result.tree)
    return `The patch makes tree ${result.tree}, not ${approved.expectedTree} as approved.`;
  const allowed = approved.approvedPaths;
  const extra = allowed && result.changes.map(({ path }) => fromBytePath(path)).find((path) => !allowed.includes(path));
  if (extra !== undefined) return `The patch would change ${extra}, which was not approved.`;
  return compareBytes(repository, approved.patch, result.changes);
}

interface Pair {
  readonly section: Section;
  readonly before: string | null;
  readonly after: string;
}

/** Sections whose content both sides can compare: plain text changes, creations and renames. */
function pairs(patch: Patch, changes: readonly RawChange[]): Pair[] {
  const byPath = new Map(changes.map((change) => [fromBytePath(change.path), change]));
  return patch.sections.flatMap((section) => {
    if (section.newPath === null || section.change === "copy" || section.body.kind === "binary") return [];
    const after = byPath.get(section.newPath)?.newId;
    const before = section.oldPath === null ? null : byPath.get(section.oldPath)?.oldId;
    return after === undefined || before === undefined ? [] : [{ section, before, after }];
  });
}

async function compareBytes(
  repository: Repository,
  patch: Patch,
  changes: readonly RawChange[],
): Promise<string | undefined> {
  const compared = pairs(patch, changes);
  const ids = [...new Set(compared.flatMap(({ before, after }) => (before === null ? [after] : [before, after])))];
  const blobs = await readBlobs(repository, ids);
  const bytesOf = new Map(ids.map((id, index) => [id, blobs[index] ?? Buffer.alloc(0)]));
  for (const { section, before, after } of compared) {
    const ours = applyHunks(before === null ? null : (bytesOf.get(before) ?? null), section);
    const theirs = bytesOf.get(after);
    if (!ours.ok || !theirs?.equals(ours.bytes)) return `git and our own reading of ${section.newPath} do not agree.`;
  }
  return undefined;
}
