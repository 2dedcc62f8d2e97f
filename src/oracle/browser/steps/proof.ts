// When an answer is proved whole. Pure: looks go in, a verdict comes out. Quiet alone is never proof.
import type { PageSnapshot } from "../shapes.ts";
import type { SiteData } from "../sites/index.ts";

export interface Proof {
  readonly key: string | null;
  readonly text: string;
  /** Since when the answer has been as it is. */
  readonly since: number;
  /** Looks in a row that saw the finished marks. */
  readonly holds: number;
}

export const noProof: Proof = { key: null, text: "", since: 0, holds: 0 };

export interface SeenPage {
  readonly look: PageSnapshot;
  /** The request that brings the answer is still open and alive. */
  readonly flowing: boolean;
  /** A request that brought part of the page broke off. */
  readonly broken: boolean;
  readonly now: number;
}

/** The finished marks of this very turn, and no sign that anything is still being written. */
export function looksFinished({ look, flowing, broken }: SeenPage): boolean {
  const { answer } = look;
  return (
    answer !== null &&
    answer.done &&
    !answer.busy &&
    !answer.placeholder &&
    !look.stop &&
    look.idle &&
    !flowing &&
    !broken &&
    look.errorBanner === null
  );
}

export function weigh(proof: Proof, seen: SeenPage): Proof {
  const { look, now } = seen;
  if (look.answer === null) return { ...noProof, since: now };
  const { key, markdown } = look.answer;
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
