// Signed heads in the user's folder, which a process with access to the repository alone cannot write: one file for each
// repository, one line for each append.
import { createHash } from "node:crypto";
import { appendFileSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Repository } from "../../../platform/git/index.ts";
import { knownKey, type PublicKey } from "../key.ts";
import { parseHead, printHead, type SignedHead } from "./head.ts";
import { pinnedHeads } from "./pin.ts";
import { headsRef } from "./read-records.ts";

/** The checkout (linked worktrees share the ref and have runs of their own) and the folder: two folders of one name, one
 * after the other, are two places. */
export function placeMark(root: string, repository: Repository | undefined): string {
  const { ino, birthtimeMs } = statSync(repository?.commonDir ?? root);
  const linked = repository && repository.gitDir !== repository.commonDir;
  return `${linked ? basename(repository.gitDir) : ""}@${ino}:${Math.floor(birthtimeMs)}`;
}

/** The name of the checkout in such a mark. */
const checkoutIn = (place: string | undefined): string => place?.split("@")[0] ?? "";

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

interface StoredHeads {
  readonly heads: readonly SignedHead[];
  /** Lines that cannot be read. A crash leaves at most one. */
  readonly broken: number;
}

function keptHeads(folder: string, root: string): StoredHeads {
  const file = fileOf(folder, root);
  if (!existsSync(file)) return { heads: [], broken: 0 };
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  const heads = lines.flatMap((line) => parseHead(line) ?? []);
  return { heads, broken: lines.length - heads.length };
}

export interface GatheredHeads {
  readonly key: PublicKey | undefined;
  readonly byRun: ReadonlyMap<string, readonly SignedHead[]>;
  /** Runs of other checkouts of the same repository. */
  readonly elsewhere: ReadonlySet<string>;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/** Later than every head: a mark of a person counts for all of them. The heads of many runs do not fit on a stack. */
export function afterAll({ byRun }: Pick<GatheredHeads, "byRun">, now: number): number {
  let latest = now;
  for (const heads of byRun.values()) for (const { at } of heads) latest = Math.max(latest, at + 1);
  return latest;
}

export async function gatherHeads(
  folder: string,
  root: string,
  repository: Repository | undefined,
): Promise<GatheredHeads> {
  const key = knownKey(folder);
  const home = keptHeads(folder, root);
  const refs = repository ? await pinnedHeads(repository) : { chain: undefined, pins: [], broken: 0 };
  const place = placeMark(root, repository);
  const here = home.heads.filter(
    (head) => head.place === place || (head.chain !== undefined && head.chain === refs.chain),
  );
  const byRun = new Map<string, SignedHead[]>();
  const ours = refs.pins.filter(({ head }) => checkoutIn(head.place) === checkoutIn(place));
  for (const head of [...here, ...ours.map((pin) => pin.head)]) {
    const heads = byRun.get(head.run);
    if (heads) heads.push(head);
    else byRun.set(head.run, [head]);
  }
  const problems: string[] = [];
  const notes: string[] = [];
  const lastPin = here.reduce<SignedHead | undefined>(
    (best, head) => (head.pin === undefined || (best && best.at > head.at) ? best : head),
    undefined,
  );
  if (repository && lastPin?.pin !== undefined && !refs.pins.some(({ commit }) => commit === lastPin.pin))
    problems.push(`${headsRef} was cut, replaced or removed: it lacks a head of ${lastPin.run} that was pinned`);
  const broken = home.broken + refs.broken;
  if (broken > 1) problems.push(`${broken} signed heads cannot be read`);
  else if (broken === 1) notes.push("one signed head was cut off, as a power loss can do");
  const others = new Set(
    [...byRun.values()]
      .flat()
      .filter((head) => head.key !== key?.id)
      .map((head) => head.key),
  );
  if (others.size > 0) notes.push(`heads that were signed with ${others.size} other keys were not looked at`);
  const counted = new Set(here);
  const earlier = new Set(home.heads.filter((head) => !counted.has(head)).map(({ run }) => run)).size;
  if (earlier > 0) notes.push(`${earlier} runs were signed for an earlier folder of this name`);
  const ownPins = new Set(ours);
  const elsewhere = new Set(refs.pins.filter((pin) => !ownPins.has(pin)).map(({ head }) => head.run));
  return { key, byRun, elsewhere, problems, notes };
}
