// A gate as a person decides it, as data: every surface draws the same rows, in the same order. The shapes only show; the
// text that an approval is bound to stands in the gate itself.
import type { Doubt, GateAnswer } from "../../../contract/index.ts";
import type { GateRisk } from "../../gate/table.ts";

export type FactTone = "plain" | "good" | "warn" | "bad";

/** One short fact of the line below the title: `checks ✔ 3 of 3`. */
export interface GateFact {
  readonly text: string;
  readonly tone: FactTone;
}

/** The answer to "would your tests notice a mistake in the changed lines?". */
export interface NoticedMistakes {
  readonly answer: "yes" | "no" | "partly" | "unknown" | "nothing";
  /** Mistakes that were planted in the changed lines, and those of them that a check noticed. */
  readonly planted: number;
  readonly noticed: number;
  /**
   * For people. `yes`: the answer behind the question "Would your tests notice a mistake in the changed lines?".
   * `nothing`: a remark, since only documentation changed. Otherwise a sentence of its own, which is the headline of the gate.
   */
  readonly text: string;
}

/** The result of a check on one tree. */
export interface CheckCell {
  readonly mark: "pass" | "fail" | "unknown";
  /** The number of tests, where the runner counts them. */
  readonly tests: number | null;
  /** The result in words, where it is neither a plain pass nor a plain failure. */
  readonly note: string | null;
}

export interface CheckRow {
  readonly checkId: string;
  readonly command: string;
  readonly before: CheckCell;
  readonly now: CheckCell;
  /** With the tests and settings of the base commit; null where the work does not change them, so that `now` says it. */
  readonly withOldTests: CheckCell | null;
  /** Planted mistakes; null where none was planted for this check. */
  readonly mistakes: { readonly planted: number; readonly noticed: number } | null;
  readonly passes: boolean;
}

export interface ReviewRow {
  readonly role: "qa" | "verifier" | "critic";
  readonly agent: string;
  readonly approves: boolean;
  readonly verdict: string;
  /** The agent's own sentence. It proves nothing. */
  readonly sentence: string;
}

/** A doubt with the line that people read. */
export interface DoubtRow extends Doubt {
  /** The runtime found that something is wrong; otherwise it could not measure, or not enough. */
  readonly fault: boolean;
  readonly text: string;
}

export interface ResultSummary {
  readonly facts: readonly GateFact[];
  readonly noticed: NoticedMistakes;
  /** The doubts of the runtime and what it found in the patch. They stand above the diff. */
  readonly doubts: readonly DoubtRow[];
  readonly warnings: readonly string[];
  readonly checks: readonly CheckRow[];
  readonly reviews: readonly ReviewRow[];
  /** Paths that need the user's own yes, with the reason: `sum_test.go` → `changed test`. */
  readonly needsYes: readonly { readonly path: string; readonly why: string }[];
}

export interface StartSummary {
  readonly works: { readonly agent: string; readonly where: string };
  /** Null where no agent verifies. */
  readonly verifies: string | null;
  readonly checks: readonly { readonly command: string; readonly cell: CheckCell; readonly ms: number | null }[];
  /** What leaves this machine, and where it goes. */
  readonly sends: string;
  /** The limits of tokens, time and money. */
  readonly limit: string;
  /** The plan in one sentence; null where there is none yet. */
  readonly plan: string | null;
  /** The texts of others that the run began with: name, size and hash of each. */
  readonly from: readonly string[];
  /** What must be true at the end. */
  readonly criteria: readonly string[];
  /** The whole crew: role and agent. */
  readonly crew: readonly { readonly role: string; readonly agent: string }[];
  /** What a person must know before the start: sentences of others that speak to agents, checks that cannot run, no sandbox. */
  readonly warnings: readonly string[];
}

export interface BranchOffer {
  /** A name made from the goal. */
  readonly name: string;
  /** What the approval accepts beside the commit, for the question: ` and accept the changed test sum_test.go?`. */
  readonly rest: string;
  /** `2 files` */
  readonly files: string;
  /** Whether the same answer can ask for a pull request. */
  readonly pullRequest: boolean;
}

export interface GateSummary {
  readonly gateId: string;
  readonly sort: "result" | "start" | "other";
  /** The goal of the run in one line. */
  readonly goal: string;
  /** The time that agents and checks worked, and what the providers report as cost. */
  readonly workedMs: number;
  readonly cost: string;
  readonly risk: GateRisk;
  /** Names what happens when this answer is given: `Apply 2 files and accept the changed test sum_test.go?`. */
  readonly questions: Readonly<Partial<Record<GateAnswer, string>>>;
  /** One short word that a person types to pass, where that cannot be undone; null where `y` is enough. */
  readonly word: string | null;
  /** For a result that can go on a new branch instead of into the checkout; null elsewhere. */
  readonly branch: BranchOffer | null;
  readonly result: ResultSummary | null;
  readonly start: StartSummary | null;
}
