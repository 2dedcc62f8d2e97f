// Signed heads in the folder of the user, out of reach of everybody who can only write the repository: one file for each
// repository, one line for each append.
import { createHash } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { parseHead, printHead, type SignedHead } from "./head.ts";

/** Two folders of one name, one after the other, are two places. */
export function placeMark(folder: string): string {
  const { ino, birthtimeMs } = statSync(folder);
  return `${ino}:${Math.floor(birthtimeMs)}`;
}

const fileOf = (folder: string, root: string): string =>
  join(folder, "heads", `${createHash("sha256").update(root).digest("hex").slice(0, 32)}.jsonl`);

/** A line before it that a crash cut off must not swallow this one. */
export function keepHead(folder: string, root: string, head: SignedHead, durable: boolean): void {
  const file = fileOf(folder, root);
  mkdirSync(join(folder, "heads"), { recursive: true, mode: 0o700 });
  appendFileSync(file, `\n${printHead(head)}`, { mode: 0o600 });
  if (!durable) return;
  const descriptor = openSync(file, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export interface KeptHeads {
  readonly heads: readonly SignedHead[];
  /** Lines that cannot be read. A crash leaves one; more are no accident. */
  readonly broken: number;
}

export function keptHeads(folder: string, root: string): KeptHeads {
  const file = fileOf(folder, root);
  if (!existsSync(file)) return { heads: [], broken: 0 };
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  const heads = lines.flatMap((line) => parseHead(line) ?? []);
  return { heads, broken: lines.length - heads.length };
}
