// The diff of the work as reviewers are given it: whole in one message, or in parts.
import type { EvidenceAttachment } from "../../contract/index.ts";
import type { AgentCall, Pass, Run } from "../state/index.ts";
import { lastIntegratedPass, latestPass } from "./passes.ts";

/** Reviewers are given all of the diff as far as a message can hold it. */
export const mostReviewed = 400_000;

/** The pass whose work is in the checkout or about to be. */
export function workPass(run: Run): Pass | undefined {
  const latest = latestPass(run);
  return latest.captured?.patch ? latest : lastIntegratedPass(run);
}

export const diffBytes = (run: Run): number => workPass(run)?.captured?.patch?.full.bytes ?? 0;

/** The roles that judge the diff. */
export type Reviewer = keyof Pass["readParts"];

/** The role that each phase of a review asks. */
export const reviewers = { qa: "qa", verify: "verifier", critique: "critic" } as const satisfies Readonly<
  Record<string, Reviewer>
>;

/** In how many calls a reviewer is given the diff. Replaced secrets can make it a little longer. */
export function diffParts(run: Run): number {
  const total = diffBytes(run);
  return total <= mostReviewed ? 1 : Math.ceil(total / (mostReviewed * 0.9));
}

/** The part that the next call of the reviewer is given; null where one call is given all that there is. */
export function diffPart(run: Run, role: Reviewer): NonNullable<EvidenceAttachment["part"]> | null {
  const of = diffParts(run);
  return of === 1 ? null : { index: Math.min(latestPass(run).readParts[role].length, of - 1), of };
}

/** How much of the diff the calls were given, as recorded with each directive. */
export function diffRead(run: Run, calls: readonly AgentCall[]): { given: number; total: number } {
  const sizes = calls.flatMap(({ directive }) => (directive?.diff ? [directive.diff] : []));
  return {
    given: sizes.reduce((sum, { given }) => sum + given, 0),
    total: sizes[0]?.total ?? diffBytes(run),
  };
}
