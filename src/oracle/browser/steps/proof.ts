// When an answer is proved complete: its finished marks hold for so many looks and so long, with no sign of more text.
import type { PageSnapshot } from "../shapes.ts";
import type { SiteData } from "../sites/load.ts";

export interface Proof {
  readonly key: string | null;
  readonly text: string;
  /** The time of the last change of the answer. */
  readonly since: number;
  /** The number of snapshots in a row with the finished marks. */
  readonly holds: number;
}

export const noProof: Proof = { key: null, text: "", since: 0, holds: 0 };

interface SeenPage {
  readonly snapshot: PageSnapshot;
  /** The request of the answer is open and received data lately. */
  readonly flowing: boolean;
  /** A request that had received data broke off. */
  readonly broken: boolean;
  readonly now: number;
}

/** The finished marks of this turn, and no sign of more text. */
export function looksFinished({ snapshot, flowing, broken }: SeenPage): boolean {
  const { answer } = snapshot;
  return (
    answer !== null &&
    answer.done &&
    !answer.busy &&
    !answer.placeholder &&
    !snapshot.stop &&
    snapshot.idle &&
    !flowing &&
    !broken &&
    snapshot.errorBanner === null
  );
}

export function weigh(proof: Proof, seen: SeenPage): Proof {
  const { snapshot, now } = seen;
  if (snapshot.answer === null) return { ...noProof, since: now };
  const { key, markdown } = snapshot.answer;
  const same = proof.key === key && proof.text === markdown;
  return {
    key,
    text: markdown,
    since: same ? proof.since : now,
    holds: looksFinished(seen) ? (same ? proof.holds + 1 : 1) : 0,
  };
}

export const isProved = ({ holds, since }: Proof, now: number, times: SiteData["times"]): boolean =>
  holds >= times.holds && now - since >= times.stableMs;
