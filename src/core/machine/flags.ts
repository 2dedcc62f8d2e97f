// Changes of the rules, each as a numbered flag. A run records the flags of the version that created it and keeps these
// rules for its whole life, also when a newer version continues it. A run without flags follows the rules of 0.1.0.
// To change a rule: add a row here, read it with `follows` in the rule, and leave the old way in place behind it.
// A number is never used again, and a released row is never changed.
import type { RunCreated } from "../contract/index.ts";

export interface Flag {
  readonly id: number;
  /** The first version that creates runs with it. */
  readonly since: string;
  readonly reason: string;
}

export const flags = {
  earlyWaiverCoversNoFewerTests: {
    id: 1,
    since: "0.2.0",
    reason:
      "A waiver given when a run is started let a check stand that passed with fewer tests than before the work. The work itself took tests away, so a person decides at a gate, as for every other check that the work breaks.",
  },
  checksTellWhy: {
    id: 2,
    since: "0.2.0",
    reason:
      "A check that could not be run, or was ended by its time limit, was told like one that fails. The finding and the gate now tell the recorded reason, so that a person knows what to do about it.",
  },
  verifiedFirst: {
    id: 20,
    since: "0.2.0",
    reason:
      "Work was applied to the checkout first and judged there, so refused or broken work stayed in it. With the order `late` the work is verified in a scratch place, shown on one sheet with its evidence, and applied last.",
  },
  noChangeIsNoSuccess: {
    id: 21,
    since: "0.2.0",
    reason:
      "A run that was to change something and changed nothing ended as a success when its verifier approved. It now ends as no_change, with its report, and no check is asked about.",
  },
  oneQuestionAtTheStart: {
    id: 22,
    since: "0.2.0",
    reason:
      "A run that was to change something asked about each provider, each transfer and the start one by one. With the order `late` one sheet asks about all of them, and nothing that stays inside what was agreed is asked again.",
  },
  reviewedAgain: {
    id: 23,
    since: "0.2.0",
    reason:
      "Work that was built again on a checkout that had moved kept the words of its reviewers, also when the change itself became another one. Then they are asked again.",
  },
  wholeDiffVerified: {
    id: 24,
    since: "0.2.0",
    reason:
      "A verifier was given the two ends of a long diff. A diff that does not fit into one message is now given in parts, the verifier approves each of them, and the bytes that it was given are recorded.",
  },
  sheetTellsPlan: {
    id: 25,
    since: "0.2.0",
    reason:
      "Where a person agreed to the start before there was a plan, no sheet showed the plan. The sheet at the end now shows it, and says first when nothing confined the work.",
  },
  bothTogether: {
    id: 26,
    since: "0.2.0",
    reason:
      "A person who edited files while the work was being applied could only take the edits out or abort. Their edits and the work can now be verified together.",
  },
  reviewersReadAll: {
    id: 27,
    since: "0.2.0",
    reason:
      "A verifier was given at most twelve parts of a diff, and the other reviewers only the two ends of a long one. Every reviewer is now given all of it, in as many parts as it takes.",
  },
  baselineFirst: {
    id: 30,
    since: "0.2.0",
    reason:
      "Checks ran for the first time after every agent had been called, so a missing program or a red test suite was known only then. Short checks now run on the base commit before the first call, and the first gate shows their results.",
  },
  missingProgramsAreAsked: {
    id: 31,
    since: "0.2.0",
    reason:
      "Autopilot called every agent although a program that a check needs was missing, and asked only at the end. The first gate of such a run is now a person's, before any agent is called.",
  },
  numbersInPlainWords: {
    id: 32,
    since: "0.2.0",
    reason:
      "Gates and review reasons counted in `1 path(s)`. They now say `1 path` and `2 paths`; the text of a gate is hashed, so runs of earlier versions keep their words.",
  },
  vendorTroubleWaits: {
    id: 40,
    since: "0.2.0",
    reason:
      "An agent that gave no answer, or kept breaking its contract, ended the run for good. The run now goes to the next agent of the user's list, and waits at a gate where another agent can take the role when there is none.",
  },
  answersAreAskedFor: {
    id: 41,
    since: "0.2.0",
    reason:
      "A run that had used all its answers failed, sometimes one call before its last verifier. It now warns before, and asks for more answers at a gate.",
  },
  abortIsAsked: {
    id: 42,
    since: "0.2.0",
    reason: "A decision `abort` of an agent ended the run unasked. A person now decides about it at a gate.",
  },
  triggerHoldsTheAnswer: {
    id: 60,
    since: "0.2.0",
    reason:
      "A critic_trigger named the response that caused it and never the critic's answer. It is now written again when the critic has answered, with the reference of that answer.",
  },
  verifierCommands: {
    id: 61,
    since: "0.2.0",
    reason:
      "A verifier could only judge what the runtime had run by itself. It can now ask for commands: the runtime runs them on a copy of the work, under the gates of every command, and asks the verifier again with their output.",
  },
  verifierHearsQa: {
    id: 62,
    since: "0.2.0",
    reason:
      "A verifier was told QA's verdict and neither the cases that QA missed nor the commands that it suggests. It now has both, and may ask for those commands.",
  },
} as const satisfies Readonly<Record<string, Flag>>;

export type FlagName = keyof typeof flags;

/** The flags that this version records in a new run. */
export const currentFlags: readonly number[] = Object.values(flags).map(({ id }) => id);

export const hasFlag = ({ created }: { readonly created: RunCreated }, name: FlagName): boolean =>
  created.flags?.includes(flags[name].id) ?? false;
