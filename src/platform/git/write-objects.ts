// Writes any number of objects by one git process, and reads objects of any kind by another. An object is named by the hash of
// its bytes, so its id is known before git has written it.
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { fail } from "../../core/contract/index.ts";
import { settingKey } from "./config-file.ts";
import { readRepositoryConfig } from "./config-read.ts";
import type { Repository } from "./locate.ts";
import { git } from "./run.ts";

export interface NewObject {
  readonly type: "commit" | "tree" | "blob";
  readonly bytes: Uint8Array;
}

/** As many hexadecimal digits as the ids of the repository have. */
export function idLength(repository: Repository): number {
  const format = readRepositoryConfig(repository).findLast((entry) => settingKey(entry) === "extensions.objectformat");
  return format?.value?.toLowerCase() === "sha256" ? 64 : 40;
}

const algorithm = (length: number): string => (length === 64 ? "sha256" : "sha1");

export const idOf = ({ type, bytes }: NewObject, length: number): string =>
  createHash(algorithm(length)).update(`${type} ${bytes.length}\0`).update(bytes).digest("hex");

const kinds = { commit: 1, tree: 2, blob: 3 } as const;

/** The head of an object in a pack: its kind, and its size in steps of seven bits after the first four. */
function packHead({ type, bytes }: NewObject): Buffer {
  const head = [(kinds[type] << 4) | (bytes.length & 15)];
  for (let rest = bytes.length >>> 4; rest > 0; rest >>>= 7) {
    head[head.length - 1] = (head.at(-1) ?? 0) | 128;
    head.push(rest & 127);
  }
  return Buffer.from(head);
}

/** A pack of whole objects. */
export function packOf(objects: readonly NewObject[], length: number): Buffer {
  const start = Buffer.alloc(12);
  start.write("PACK");
  start.writeUInt32BE(2, 4);
  start.writeUInt32BE(objects.length, 8);
  const pack = Buffer.concat([start, ...objects.flatMap((one) => [packHead(one), deflateSync(one.bytes)])]);
  return Buffer.concat([pack, createHash(algorithm(length)).update(pack).digest()]);
}

/**
 * Writes each as a loose object, which is on the disk when this is done. What a tree names need not be there. git takes them
 * as a small pack: that is one process, however many they are.
 */
export async function writeObjects(
  repository: Repository,
  objects: readonly NewObject[],
  length = idLength(repository),
): Promise<void> {
  if (objects.length === 0) return;
  await git(repository, ["unpack-objects", "-q"], { stdin: packOf(objects, length), timeoutMs: 600_000 });
}

export interface TreeRow {
  readonly mode: "100644" | "40000";
  readonly name: string;
  readonly id: string;
}

/** git wants the rows by their names, that of a folder as if it ended in a slash. */
export function printTree(rows: readonly TreeRow[]): NewObject {
  const key = ({ mode, name }: TreeRow) => (mode === "40000" ? `${name}/` : name);
  const sorted = rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  const parts = sorted.flatMap(({ mode, name, id }) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(id, "hex")]);
  return { type: "tree", bytes: Buffer.concat(parts) };
}

/** The rows of a tree; `length` is that of the ids. */
export function parseTree(
  bytes: Buffer,
  length: number,
): { readonly mode: string; readonly name: string; readonly id: string }[] {
  const rows: { mode: string; name: string; id: string }[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0, at);
    const [mode = "", ...name] = bytes.toString("utf8", at, end).split(" ");
    at = end + 1 + length / 2;
    rows.push({ mode, name: name.join(" "), id: bytes.toString("hex", end + 1, at) });
  }
  return rows;
}

export interface FoundObject {
  readonly id: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** What each name leads to, in order; undefined for a name that leads to nothing. */
export async function readObjects(
  repository: Repository,
  names: readonly string[],
): Promise<(FoundObject | undefined)[]> {
  if (names.length === 0) return [];
  const { stdout } = await git(repository, ["cat-file", "--batch", "--buffer"], {
    stdin: `${names.join("\n")}\n`,
    maxBytes: 1 << 30,
    timeoutMs: 600_000,
  });
  let at = 0;
  return names.map((name) => {
    const end = stdout.indexOf(10, at);
    const head = stdout.toString("latin1", at, end);
    const [, id = "", type = "", size = ""] = /^([0-9a-f]+) (commit|tree|blob|tag) (\d+)$/.exec(head) ?? [];
    at = end + 1;
    if (id === "" && / (missing|ambiguous)$/.test(head)) return undefined;
    if (id === "" || end === -1)
      return fail("git_failed", `Object ${name} cannot be read from the repository.`, { remedy: "Run: git fsck" });
    const bytes = stdout.subarray(at, at + Number(size));
    at += Number(size) + 1;
    return { id, type, bytes };
  });
}
