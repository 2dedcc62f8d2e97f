// One attempt at a goal beside others, in facts, and their order: by measurements alone, never by a model's taste.
import { dollars, plainLine } from "../../contract/index.ts";
import { counted, openGates } from "../facts/index.ts";
import { doubtsOf } from "../review/index.ts";
import { isEnded, type Run } from "../state/index.ts";
import { claims } from "./claims.ts";
import { noticedMistakes } from "./gate/checks.ts";
import { asksForResult } from "./gate/summary.ts";
import { amountText, runCost } from "./role-lanes.ts";
import { monitor } from "./status.ts";

export type AttemptStanding = "taken" | "ready" | "waits" | "working" | "ended";

export interface Attempt {
  readonly runId: string;
  readonly number: number;
  readonly of: number;
  /** Who works on it. */
  readonly agent: string;
  /** `ready`: its result waits for a decision. */
  readonly standing: AttemptStanding;
  /** What it does or waits for, or how it ended. */
  readonly doing: string;
  /** Of the work that is judged; null before there is any. */
  readonly facts: AttemptFacts | null;
  readonly ms: number;
  readonly usd: number;
  /** With what is estimated or unknown of it. */
  readonly cost: string;
}

export interface AttemptFacts {
  readonly claims: { readonly proven: number; readonly all: number };
  readonly mistakes: { readonly planted: number; readonly noticed: number };
  /** Doubts of the runtime about the work. */
  readonly findings: number;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** Where the work is put is no fact about the work. */
const aboutPlace = new Set(["integration", "paths", "protected"]);

function factsOf(run: Run): AttemptFacts | null {
  const pass = run.passes.at(-1);
  if (!pass?.judgement || !pass.validation) return null;
  const made = claims(run).filter(({ kind }) => !aboutPlace.has(kind));
  const { planted, noticed } = noticedMistakes(run, pass);
  const { paths, addedLines: added, removedLines: removed } = pass.judgement;
  return {
    claims: { proven: made.filter(({ standing }) => standing === "proven").length, all: made.length },
    mistakes: { planted, noticed },
    findings: doubtsOf(run, pass).length,
    files: paths.length,
    added,
    removed,
  };
}

function standingOf(run: Run): AttemptStanding {
  const { phase } = run;
  const taken =
    run.passes.at(-1)?.applyApproved === true || (phase.state === "completed" && phase.stopReason !== "no_change");
  if (isEnded(phase) && phase.state !== "completed") return "ended";
  if (taken) return "taken";
  if (isEnded(phase)) return "ended";
  const [gate] = openGates(run);
  if (!gate) return "working";
  return asksForResult(gate) ? "ready" : "waits";
}

/** Undefined for a run that is no attempt. */
export function attemptOf(run: Run): Attempt | undefined {
  const { attempt } = run.created;
  if (!attempt) return undefined;
  const { phase } = run;
  const ended = isEnded(phase) && "message" in phase ? `${phase.state}: ${phase.message}` : monitor(run).doing;
  const cost = runCost(run);
  return {
    runId: run.runId,
    number: attempt.number,
    of: attempt.of,
    agent: run.roles.implementer?.assignment ?? "no agent",
    standing: standingOf(run),
    doing: plainLine(ended, 200),
    facts: factsOf(run),
    ms: run.spent.ms,
    usd: cost.usd,
    cost: cost.untold > 0 && cost.usd === 0 ? "cost unknown" : amountText(cost),
  };
}

const order: readonly AttemptStanding[] = ["taken", "ready", "waits", "working", "ended"];
const noticedShare = ({ planted, noticed }: AttemptFacts["mistakes"]): number =>
  planted === 0 ? 0 : noticed / planted;
const lines = ({ added, removed }: AttemptFacts): number => added + removed;

interface Criterion {
  /** Below zero: the first is better. */
  readonly compare: (one: Attempt, other: Attempt) => number;
  /** The better value against the other one. */
  readonly words: (better: Attempt, other: Attempt) => string;
}

const byFacts = (number: (facts: AttemptFacts) => number, words: (facts: AttemptFacts) => string): Criterion => ({
  compare: ({ facts: a }, { facts: b }) => (a && b ? number(a) - number(b) : Number(!a) - Number(!b)),
  words: ({ facts: a }, { facts: b }) => (a && b ? `${words(a)} against ${words(b)}` : "a result that was judged"),
});

const seconds = (ms: number): number => Math.round(ms / 1_000);

/** The first that differs decides. */
const measured: readonly Criterion[] = [
  byFacts(
    ({ claims: { proven, all } }) => all - proven,
    ({ claims: { proven, all } }) => `${proven} of ${all} claims proven`,
  ),
  byFacts(
    ({ mistakes }) => -noticedShare(mistakes),
    ({ mistakes: { noticed, planted } }) => `${noticed} of ${planted} planted mistakes noticed`,
  ),
  byFacts(
    ({ findings }) => findings,
    ({ findings }) => counted(findings, "doubt"),
  ),
  byFacts(lines, (facts) => counted(lines(facts), "changed line")),
  {
    compare: (one, other) => seconds(one.ms) - seconds(other.ms),
    words: (better, other) => `${seconds(better.ms)} s of work against ${seconds(other.ms)} s`,
  },
  {
    compare: (one, other) => one.usd - other.usd,
    words: (better, other) => `${dollars(better.usd)} against ${dollars(other.usd)}`,
  },
];

const byStanding = (one: Attempt, other: Attempt): number =>
  order.indexOf(one.standing) - order.indexOf(other.standing);

export const rankAttempts = (attempts: readonly Attempt[]): Attempt[] =>
  attempts.toSorted(
    (one, other) =>
      [byStanding, ...measured.map(({ compare }) => compare)]
        .map((compare) => compare(one, other))
        .find((difference) => difference !== 0) ?? one.number - other.number,
  );

/** Why this attempt was not taken, by the first fact that differs. */
export function whyBehind(behind: Attempt, taken: Attempt): string {
  const who = `attempt ${taken.number} of ${taken.of} (${taken.runId}) was taken`;
  const decides = measured.find(({ compare }) => compare(taken, behind) !== 0);
  if (!decides) return `${who}; the facts of both are equal`;
  return decides.compare(taken, behind) < 0
    ? `${who}: ${decides.words(taken, behind)}`
    : `${who}, although this one has ${decides.words(behind, taken)}`;
}
