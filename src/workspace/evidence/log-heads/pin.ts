// Signed heads in a git ref: a record for each pinned head, each with the id of the one before (records.ts). It holds ids,
// numbers, hashes and signatures, and nothing of the work, so that the ref may be pushed.
import { randomBytes } from "node:crypto";
import { fail } from "../../../core/contract/index.ts";
import {
  askOwnRef,
  bringIn,
  idLength,
  idOf,
  missingAmong,
  moveOwnRef,
  printCommit,
  withGcPaused,
  writeObjects,
  type NewObject,
  type Repository,
} from "../../../platform/git/index.ts";
import { parseHead, printHead, type SignedHead } from "./head.ts";
import { headLines, headsRef, readState, recordTexts } from "./read-records.ts";
import { addRecord, linked, type Added, type RecordState } from "./records.ts";

const mostTries = 40;
/** A prune that read the refs before is over when so many have been added since. */
const mostRemembered = 1_000;

/** The tree without files, by the length of the repository's ids. A record names it as every commit names its files. */
const emptyTrees: Readonly<Record<number, string>> = {
  40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};

/** Puts a record behind the others. False when another process has moved the ref since. */
const addToRef = (repository: Repository, { state, objects }: Added, from: string | undefined): Promise<boolean> =>
  withGcPaused(repository, async (where) => {
    const length = state.root.length;
    await writeObjects(where, objects, length);
    await bringIn(where, state.root);
    const moved =
      (await moveOwnRef(where, headsRef, state.root, from ?? null)) ||
      (await askOwnRef(where, headsRef)) === state.root;
    const gone = await missingAmong(
      repository,
      objects.map((one) => idOf(one, length)),
    );
    if (moved && gone.length > 0) fail("git_failed", `The record of ${headsRef} is gone again.`);
    return moved;
  });

interface PinnedHead {
  /** The id of the record. */
  readonly commit: string;
  readonly head: SignedHead;
}

/** The heads of the ref, oldest first. The first record only makes this chain different from every other. */
export async function pinnedHeads(repository: Repository): Promise<{
  readonly chain: string | undefined;
  readonly pins: readonly PinnedHead[];
  readonly broken: number;
}> {
  const found = await recordTexts(repository);
  if (!found) return { chain: undefined, pins: [], broken: 0 };
  const { records, loose } = linked(found.texts, found.length);
  const pins: PinnedHead[] = [];
  // A chain that breaks was altered: a power loss cannot do that.
  let broken = loose > 0 ? Math.max(loose, 2) : 0;
  for (const { id, message } of records.slice(1)) {
    const lines = headLines(message);
    if (lines.length === 0) broken += 1;
    for (const line of lines) {
      const head = parseHead(line);
      if (head) pins.push({ commit: id, head });
      else broken += 1;
    }
  }
  return { chain: records[0]?.id, pins, broken };
}

interface Pinner {
  /** Pins the heads that `made` signs for the chain, in one record. */
  pin(made: (chain: string) => readonly SignedHead[]): Promise<{ readonly chain: string; readonly commit: string }>;
  /** Makes those objects again that a `git prune` took away after their ref was there, because it had read the refs before. */
  mend(): Promise<void>;
}

export function createPinner(repository: Repository): Pinner {
  let known: (RecordState & { readonly objects?: readonly NewObject[] }) | undefined;
  let added: NewObject[] = [];
  const add = async (before: NonNullable<typeof known>, message: string): Promise<Added["state"] | undefined> => {
    const length = before.root?.length ?? idLength(repository);
    const tree = emptyTrees[length];
    if (tree === undefined) throw new TypeError(`${length} is not the length of an id`);
    const parents = before.last === undefined ? [] : [before.last];
    const record = printCommit({ tree, parents, at: Math.floor(Date.now() / 1_000), message });
    const made = addRecord(before, record, length);
    const objects = [...(before.objects ?? []), ...made.objects];
    if (!(await addToRef(repository, { ...made, objects }, before.root))) return undefined;
    // Only the newest tree counts, and what it names.
    added = [...added.filter((one) => one !== root), ...objects].slice(-mostRemembered);
    root = objects.at(-1);
    known = made.state;
    return made.state;
  };
  let root: NewObject | undefined;
  const none: RecordState = { root: undefined, rows: [], chain: undefined, last: undefined };
  const begin = async (): Promise<NonNullable<typeof known>> => {
    const found = await readState(repository);
    if (found) return found;
    return (await add(none, `heads of logs ${randomBytes(16).toString("hex")}\n`)) ?? begin();
  };
  return {
    async pin(made) {
      for (let tries = 0; tries < mostTries; tries++) {
        const before = (known ??= await begin());
        const heads = made(before.chain ?? "");
        const [first] = heads;
        const title = heads.length > 1 ? `${heads.length} heads` : `${first?.run ?? ""} ${first?.seq ?? 0}`;
        const done = await add(before, `${title}\n\n${heads.map(printHead).join("\n")}\n`);
        if (done) return { chain: done.chain, commit: done.last };
        known = undefined;
      }
      return fail("git_failed", `${headsRef} moves faster than a head can be pinned.`, {
        remedy: "Try again.",
      });
    },
    async mend() {
      const length = known?.root?.length;
      if (length === undefined) return;
      for (let tries = 0; tries < 4; tries++) {
        const gone = await missingAmong(
          repository,
          added.map((one) => idOf(one, length)),
        );
        if (gone.length === 0) return;
        await writeObjects(
          repository,
          added.filter((one) => gone.includes(idOf(one, length))),
          length,
        );
      }
    },
  };
}
