// The records of pinned heads in one tree. A record is the text of a commit without files that names the record before it, so
// one that is altered or taken out breaks the chain. The newest lie at the top; a hundred of them move into a folder, and a
// hundred folders into another, so that a new record costs little however many there are.
import { idOf, parseCommit, printTree, type NewObject, type TreeRow } from "../../../platform/git/index.ts";

export interface RecordState {
  /** The tree; undefined before the first record. */
  readonly root: string | undefined;
  readonly rows: readonly TreeRow[];
  /** The id of the first record. */
  readonly chain: string | undefined;
  /** The id of the newest record. */
  readonly last: string | undefined;
}

/** Records that an earlier version pinned as commits, one after the other in one blob. */
export const earlierName = "earlier";
export const lastName = "last";
const isOfNumber = /^\d{9}$/;
const isFolder = /^(?:\d{7}|\d{5})$/;
const folderSize = 100;

export const isRecordPath = (path: string): boolean => /^(?:\d{5}\/)?(?:\d{7}\/)?\d{9}$/.test(path);
export const isRecordRow = (row: {
  readonly mode: string;
  readonly name: string;
  readonly id: string;
}): row is TreeRow =>
  row.mode === "40000"
    ? isFolder.test(row.name)
    : row.mode === "100644" && (isOfNumber.test(row.name) || row.name === earlierName);

/** The number of the next record: names of folders are the first digits of the numbers in them. */
export function nextNumber(rows: readonly TreeRow[]): number {
  const after = ({ name }: TreeRow) => (Number(name) + 1) * 10 ** (9 - name.length);
  return rows.filter(({ name }) => name !== earlierName).reduce((most, row) => Math.max(most, after(row)), 0);
}

interface Folded {
  readonly rows: readonly TreeRow[];
  readonly objects: readonly NewObject[];
}

/** Moves the full hundred of names with so many digits into a folder whose name lacks the last two of them. */
function fold({ rows, objects }: Folded, digits: number, length: number): Folded {
  const inside = rows.filter(({ name }) => name.length === digits && /^\d+$/.test(name));
  if (inside.length < folderSize) return { rows, objects };
  const folder = printTree(inside);
  const row: TreeRow = { mode: "40000", name: (inside[0]?.name ?? "").slice(0, -2), id: idOf(folder, length) };
  return { rows: [...rows.filter((one) => !inside.includes(one)), row], objects: [...objects, folder] };
}

export interface Added {
  readonly state: RecordState & { readonly root: string; readonly chain: string; readonly last: string };
  /** What has to be written, the tree last. */
  readonly objects: readonly NewObject[];
}

/** `length`: that of the ids. */
export function addRecord(before: RecordState, commit: NewObject, length: number): Added {
  const text: NewObject = { type: "blob", bytes: commit.bytes };
  const id = idOf(text, length);
  const name = String(nextNumber(before.rows)).padStart(9, "0");
  const grown: Folded = { rows: [...before.rows, { mode: "100644", name, id }], objects: [text] };
  const { rows, objects } = fold(fold(grown, 9, length), 7, length);
  const root = printTree([...rows, { mode: "100644", name: lastName, id }]);
  const last = idOf(commit, length);
  return {
    state: { root: idOf(root, length), rows, chain: before.chain ?? last, last },
    objects: [...objects, root],
  };
}

export interface PinnedRecord {
  /** Its id, as if it were a commit. */
  readonly id: string;
  readonly message: string;
}

/** The records as far as each names the one before, and how many follow that do not. */
export function linked(texts: readonly Uint8Array[], length: number): { records: PinnedRecord[]; loose: number } {
  const records: PinnedRecord[] = [];
  for (const bytes of texts) {
    const found = parseCommit(bytes);
    if (!found || found.parents[0] !== records.at(-1)?.id) break;
    records.push({ id: idOf({ type: "commit", bytes }, length), message: found.message });
  }
  return { records, loose: texts.length - records.length };
}

export const joinTexts = (texts: readonly Uint8Array[]): NewObject => ({
  type: "blob",
  bytes: Buffer.concat(texts.flatMap((text) => [Buffer.from(`${text.length}\n`), text, Buffer.from("\n")])),
});

/** Ends where the bytes are no such list any more: then the chain breaks there. */
export function splitTexts(bytes: Buffer): Buffer[] {
  const texts: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at);
    const size = Number(bytes.toString("latin1", at, end));
    if (end === -1 || !Number.isSafeInteger(size)) break;
    texts.push(bytes.subarray(end + 1, end + 1 + size));
    at = end + size + 2;
  }
  return texts;
}
