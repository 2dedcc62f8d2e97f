// A disk that forgets: from a recording, every state that a power loss may leave, under the strictest reading of
// POSIX. Bytes are safe only after an fsync of their file, names only after an fsync of their folder; whatever is
// not yet safe may be there, be missing, or be cut in the middle, in any order.
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { DiskOp, Recording } from "./record.ts";

export interface DiskState {
  /** The power went after this many operations. */
  readonly after: number;
  readonly why: string;
  /** What the program had told the outside by then: all of it must still be true. */
  readonly told: string;
  readonly files: ReadonlyMap<string, Buffer>;
  readonly folders: ReadonlySet<string>;
}

/** How the last kept write is cut. */
const cuts: readonly { name: string; keep: (length: number) => number }[] = [
  { name: "cut at 0", keep: () => 0 },
  { name: "cut at 1", keep: (length) => Math.min(1, length) },
  { name: "cut at 512", keep: (length) => Math.min(512, length) },
  { name: "cut at half", keep: (length) => length >> 1 },
  { name: "whole", keep: (length) => length },
];

/** A change that can be lost on its own: bytes in a file, or a name in a folder. */
interface Change {
  readonly index: number;
  readonly apply: (disk: Disk, keep: number) => void;
  readonly bytes: number;
  readonly file: number | string;
}

interface Plan {
  readonly changes: readonly Change[];
  /** Index of the operation that makes the change of the same place durable, or infinity. */
  readonly durableAt: readonly number[];
}

/** Every distinct state, each once; `stride` takes every n-th moment only. */
export function* powerLossStates(recording: Recording, stride = 1): Generator<DiskState> {
  const plan = planOf(recording);
  const seen = new Set<string>();
  for (let after = 0; after <= recording.ops.length; after += stride) {
    const told = toldBy(recording, after);
    const past = plan.changes.flatMap((change, place) => (change.index < after ? [place] : []));
    const isPending = (place: number) => (plan.durableAt[place] ?? Infinity) >= after;
    const pending = past.filter(isPending);
    // An fsync saves all that came before it in its file or folder, so what is pending comes after what is safe.
    const safe = new Disk(recording.root);
    for (const place of past) if (!isPending(place)) plan.changes[place]?.apply(safe, Infinity);
    for (const { why, keep } of choices(pending, plan)) {
      const disk = safe.copy();
      for (const place of pending) {
        const length = keep(place);
        if (length !== undefined) plan.changes[place]?.apply(disk, length);
      }
      const { files, folders, digest } = disk.look();
      const key = `${told.length} ${digest}`;
      if (seen.has(key)) continue;
      seen.add(key);
      yield { after, why, told, files, folders };
    }
  }
}

function toldBy({ ops }: Recording, after: number): string {
  return ops
    .slice(0, after)
    .map((op) => (op.op === "told" ? op.text : ""))
    .join("");
}

interface Choice {
  readonly why: string;
  /** How many bytes of a pending change reached the disk; undefined when nothing of it did. */
  readonly keep: (place: number) => number | undefined;
}

function* choices(pending: readonly number[], plan: Plan): Generator<Choice> {
  const whole = (place: number) => plan.changes[place]?.bytes ?? 0;
  yield { why: "nothing unsynced", keep: () => undefined };
  for (const [count, last] of pending.entries())
    for (const cut of cuts)
      yield {
        why: `${count + 1} unsynced, the last ${cut.name}`,
        keep: (place) => (place < last ? whole(place) : place === last ? cut.keep(whole(place)) : undefined),
      };
  for (const one of pending) {
    yield { why: "all unsynced but one", keep: (place) => (place === one ? undefined : whole(place)) };
    yield { why: "one unsynced only", keep: (place) => (place === one ? whole(place) : undefined) };
  }
  for (const file of new Set(pending.map((place) => plan.changes[place]?.file)))
    yield {
      why: "the unsynced of one file only",
      keep: (place) => (plan.changes[place]?.file === file ? whole(place) : undefined),
    };
  if (pending.length > 2)
    for (let draw = 1; draw <= drawn; draw++)
      yield {
        why: `the unsynced that draw ${draw} left`,
        keep: (place) => (mix(place * drawn + draw) % 2 === 0 ? whole(place) : undefined),
      };
}

/** How many subsets are drawn for each moment besides the ones that are listed; always the same ones. */
const drawn = 20;

function mix(value: number): number {
  let bits = Math.imul(value ^ 0x9e3779b9, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** Follows names to files through creation and renaming, and finds for each change the fsync that saves it. */
function planOf({ ops }: Recording): Plan {
  const names = new Map<string, number>();
  const changes: Change[] = [];
  const durableAt: number[] = [];
  let files = 0;
  const add = (change: Change) => {
    changes.push(change);
    durableAt.push(Infinity);
  };
  const name = (index: number, path: string, apply: Change["apply"]) =>
    add({ index, apply, bytes: 0, file: dirname(path) });
  for (const [index, op] of ops.entries()) {
    const known = "path" in op ? names.get(op.path) : undefined;
    if (op.op === "sync") {
      const saved = known ?? op.path;
      for (const [place, change] of changes.entries())
        if (change.file === saved && durableAt[place] === Infinity) durableAt[place] = index;
    } else if (op.op === "create" && known === undefined) {
      const file = files++;
      names.set(op.path, file);
      name(index, op.path, (disk) => disk.name(op.path, file));
    } else applyKnown(op, index, known, names, add, name);
  }
  return { changes, durableAt };
}

function applyKnown(
  op: DiskOp,
  index: number,
  file: number | undefined,
  names: Map<string, number>,
  add: (change: Change) => void,
  name: (index: number, path: string, apply: Change["apply"]) => void,
): void {
  if (op.op === "folder") name(index, op.path, (disk) => disk.folder(op.path));
  if (file === undefined) return;
  if (op.op === "write")
    add({
      index,
      file,
      bytes: op.bytes.length,
      apply: (disk, keep) => disk.write(file, op.offset, op.bytes, keep),
    });
  if (op.op === "truncate" || (op.op === "create" && op.truncate)) {
    const length = op.op === "truncate" ? op.length : 0;
    add({ index, file, bytes: 0, apply: (disk) => disk.truncate(file, length) });
  }
  if (op.op === "remove") {
    names.delete(op.path);
    name(index, op.path, (disk) => disk.forget(op.path, file));
  }
  if (op.op === "rename") {
    names.delete(op.path);
    names.set(op.to, file);
    // The new name is one change; that the old one is gone is another, which never comes alone.
    name(index, op.to, (disk) => disk.name(op.to, file));
    name(index, op.path, (disk) => disk.named(op.to) === file && disk.forget(op.path, file));
  }
}

const digests = new WeakMap<Buffer, string>();

function digestOf(bytes: Buffer): string {
  const known = digests.get(bytes) ?? createHash("sha256").update(bytes).digest("hex");
  digests.set(bytes, known);
  return known;
}

/** Content is never changed in place, so that copies of a disk can share it. */
class Disk {
  readonly #root: string;
  readonly #names: Map<string, number>;
  readonly #folders: Set<string>;
  readonly #content: Map<number, Buffer>;

  constructor(root: string, from?: Disk) {
    this.#root = root;
    this.#names = new Map(from ? from.#names : []);
    this.#folders = new Set(from ? from.#folders : []);
    this.#content = new Map(from ? from.#content : []);
  }

  copy(): Disk {
    return new Disk(this.#root, this);
  }
  name(path: string, file: number): void {
    this.#names.set(path, file);
  }
  named(path: string): number | undefined {
    return this.#names.get(path);
  }
  forget(path: string, file: number): void {
    if (this.#names.get(path) === file) this.#names.delete(path);
  }
  folder(path: string): void {
    this.#folders.add(path);
  }
  write(file: number, offset: number, bytes: Buffer, keep: number): void {
    const length = Math.min(keep, bytes.length);
    if (length === 0) return;
    const old = this.#content.get(file) ?? Buffer.alloc(0);
    const next = Buffer.alloc(Math.max(old.length, offset + length));
    old.copy(next);
    bytes.copy(next, offset, 0, length);
    this.#content.set(file, next);
  }
  truncate(file: number, length: number): void {
    const old = this.#content.get(file) ?? Buffer.alloc(0);
    const next = Buffer.alloc(length);
    old.copy(next, 0, 0, Math.min(length, old.length));
    this.#content.set(file, next);
  }

  /** What can be reached by a path from the root: a file in a folder that was lost is lost with it. */
  look(): { files: Map<string, Buffer>; folders: Set<string>; digest: string } {
    const reachable = (path: string): boolean => {
      const folder = dirname(path);
      return folder === this.#root || (this.#folders.has(folder) && reachable(folder));
    };
    const folders = new Set([...this.#folders].filter(reachable).map((path) => relative(this.#root, path)));
    const files = new Map<string, Buffer>();
    const digest = createHash("sha256").update([...folders].sort().join("\0"));
    for (const [path, file] of [...this.#names].sort(([a], [b]) => (a < b ? -1 : 1)))
      if (reachable(path)) {
        const bytes = this.#content.get(file) ?? Buffer.alloc(0);
        files.set(relative(this.#root, path), bytes);
        digest.update(`\0${path}\0${digestOf(bytes)}`);
      }
    return { files, folders, digest: digest.digest("hex") };
  }
}

export function layDown(state: DiskState, into: string): void {
  mkdirSync(into, { recursive: true });
  for (const folder of [...state.folders].sort()) mkdirSync(join(into, folder), { recursive: true });
  for (const [path, bytes] of state.files) writeFileSync(join(into, path), bytes);
}
