// Signs the head of a run after every append, and pins it in git at gates and at the end. Signing must never stop a run:
// problems are stored and reported, and the next head covers all that was missed.
import { FailureError, type StoredEvent } from "../../../core/contract/index.ts";
import type { Repository } from "../../../platform/git/index.ts";
import { lazy, systemCode } from "../../../platform/system/index.ts";
import { userKey } from "../key.ts";
import { signHead, type UnsignedHead } from "./head.ts";
import { keepHead, placeMark } from "./stored-heads.ts";
import { createPinner } from "./pin.ts";

interface SealerInput {
  /** The folder of the user that holds the key and the heads. */
  readonly folder: string;
  readonly root: string;
  readonly repository: Repository | undefined;
  readonly clock: { now(): number };
}

export interface Sealer {
  /** Signs the head after an append; at a gate and at the end it is pinned too. */
  sign(stored: readonly StoredEvent<{ readonly type: string }>[]): void;
  /** Signs and pins one head. */
  mark(head: Pick<UnsignedHead, "run" | "seq" | "head" | "mark">): void;
  /** Resolves when everything is pinned: the problems since the last call, described for people. */
  settle(): Promise<readonly string[]>;
}

/** The events after which a person may inspect the run: its head is pinned then. */
const pinned: ReadonlySet<string> = new Set([
  "run_created",
  "approval_required",
  "approval_recorded",
  "patch_applied",
  "run_completed",
  "run_failed",
  "run_aborted",
  "workspace_retired",
]);

/** Heads in one commit: a person may remove thousands of runs at once. */
const together = 500;

type Plain = Pick<UnsignedHead, "run" | "seq" | "head" | "mark">;

export function createSealer({ folder, root, repository, clock }: SealerInput): Sealer {
  const key = lazy(() => userKey(folder));
  const place = lazy(() => placeMark(root, repository));
  const pinner = repository && createPinner(repository);
  const waiting = new Map<string, Plain>();
  const trouble = new Set<string>();
  let chain: string | undefined;
  let working = Promise.resolve();

  const signed = (plain: Plain, more: Pick<UnsignedHead, "chain" | "pin">) =>
    signHead(key(), { ...plain, at: clock.now(), place: place(), ...more });
  const attempt = (error: unknown): void => {
    if (!(error instanceof FailureError) && systemCode(error) === undefined) throw error;
    trouble.add((error as Error).message);
  };
  const keep = (plain: Plain, pin?: string, durable = false): void => {
    try {
      const more = { ...(chain === undefined ? {} : { chain }), ...(pin === undefined ? {} : { pin }) };
      keepHead(folder, root, signed(plain, more), durable);
    } catch (error) {
      attempt(error);
    }
  };
  const pinWaiting = async (): Promise<void> => {
    while (waiting.size > 0) {
      const some = [...waiting.values()].slice(0, together);
      for (const { run } of some) waiting.delete(run);
      try {
        const done = await pinner?.pin((named) => some.map((next) => signed(next, { chain: named })));
        chain = done?.chain;
        for (const [index, next] of some.entries()) keep(next, done?.commit, index === some.length - 1);
      } catch (error) {
        attempt(error);
      }
    }
  };
  const mark = (plain: Plain): void => {
    keep(plain);
    if (!pinner) return;
    waiting.set(plain.run, plain);
    working = working.then(pinWaiting);
  };
  return {
    mark,
    sign(stored) {
      const last = stored.at(-1);
      if (!last) return;
      const plain = { run: last.runId, seq: last.seq, head: last.hash };
      if (stored.some(({ event }) => pinned.has(event.type))) mark(plain);
      else keep(plain);
    },
    async settle() {
      await working;
      await pinner?.mend().catch(attempt);
      const problems = [...trouble];
      trouble.clear();
      return problems;
    },
  };
}
