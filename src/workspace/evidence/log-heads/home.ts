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
import { basename, join } from "node:path";
import type { Repository } from "../../../platform/git/index.ts";
import { parseHead, printHead, type SignedHead } from "./head.ts";

/** The checkout (linked worktrees share the ref and have runs of their own) and the folder: two folders of one name, one
 * after the other, are two places. */
export function placeMark(root: string, repository: Repository | undefined): string {
  const { ino, birthtimeMs } = statSync(repository?.commonDir ?? root);
  const linked = repository && repository.gitDir !== repository.commonDir;
  return `${linked ? basename(repository.gitDir) : ""}@${ino}:${Math.floor(birthtimeMs)}`;
}

/** The name of the checkout in such a mark. */
export const checkoutIn = (place: string | undefined): string => place?.split("@")[0] ?? "";

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

export interface StoredHeads {
  readonly heads: readonly SignedHead[];
  /** Lines that cannot be read. A crash leaves one; more are no accident. */
  readonly broken: number;
}

export function keptHeads(folder: string, root: string): StoredHeads {
  const file = fileOf(folder, root);
  if (!existsSync(file)) return { heads: [], broken: 0 };
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  const heads = lines.flatMap((line) => parseHead(line) ?? []);
  return { heads, broken: lines.length - heads.length };
}
