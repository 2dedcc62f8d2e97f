// The open gates of a run with the content of everything they name, so that a person reads what they approve.
import { visibleText, type ArtifactRef, type Gate } from "../../core/contract/index.ts";
import { worstRisk, type GateRisk, type GateSummary } from "../../core/machine/view/index.ts";
import { showPatch, type ShownPatch } from "../../core/patch/index.ts";
import type { Context, FullView, RepositoryRuns } from "../context/index.ts";
import { attemptLines } from "./attempt-lines.ts";
import { attemptsOf } from "./attempts.ts";
import { meetingLines } from "./meets.ts";
import { rowBrief } from "./row.ts";
import { failingChecks, shellQuote, type FailingCheck } from "./failing.ts";

export type ShownPart =
  | { readonly kind: "diff"; readonly ref: string; readonly summary: string; readonly patch: ShownPatch }
  | {
      readonly kind: "text";
      readonly of: ArtifactRef["kind"];
      readonly ref: string;
      readonly summary: string;
      readonly text: string;
      /** Bytes that are not in the text, because they are too many. */
      readonly rest: number;
    };

export interface OpenGate extends Pick<Gate, "id" | "kind" | "lane" | "title" | "phrase" | "answers"> {
  /** The hash of exactly the shown text, which names every part by its own hash. */
  readonly sha256: string;
  readonly text: string;
  readonly risk: GateRisk;
  readonly cause: string | null;
  readonly since: number;
  /** What a person decides by, as rows. */
  readonly summary: GateSummary | null;
  readonly parts: readonly ShownPart[];
}

export interface GateDetails {
  readonly runId: string;
  readonly repo: string;
  readonly goal: string;
  readonly state: string;
  readonly gates: readonly OpenGate[];
  /** The commands that will run to judge the work. */
  readonly commands: readonly { readonly command: string; readonly source: string }[];
  /** The checks that do not pass with the work. */
  readonly failing: readonly FailingCheck[];
  /** What the last runs here cost, or took where no cost is known; null without earlier runs. */
  readonly usual: UsualCost | null;
  /** The table of the attempts at the same goal; empty for a run that is none of several. */
  readonly attempts: readonly string[];
  /** Other runs that change the same files, and the ways on; empty where there are none. */
  readonly meets: readonly string[];
  /** The remote that a branch would be pushed to from here; null without one, and where no branch can be named. */
  readonly pushesTo: { readonly remote: string; readonly url: string; readonly into?: string } | null;
  readonly findings: FullView["findings"];
  readonly lanes: FullView["reviewLanes"];
}

export interface UsualCost {
  /** US dollars; tokens where no provider reported a cost and no price is known. */
  readonly unit: "usd" | "tokens";
  readonly runs: number;
  readonly low: number;
  readonly high: number;
  readonly last: number;
  /** A part of these costs is estimated from tokens. */
  readonly estimated: boolean;
}

/** Of the last runs that were completed. */
const mostUsual = 5;

async function usualCost(runs: RepositoryRuns): Promise<UsualCost | null> {
  const rows = await runs.rows({ limit: mostUsual, state: "completed" });
  const briefs = rows.map(rowBrief);
  const priced = briefs.filter(({ usd = 0 }) => usd > 0);
  const unit = priced.length > 0 ? "usd" : "tokens";
  const amounts = briefs.map(({ usd = 0, tokens = 0 }) => (unit === "usd" ? usd : tokens)).filter((one) => one > 0);
  const [last] = amounts;
  if (last === undefined) return null;
  const estimated = unit === "usd" && priced.some(({ usdEstimated }) => usdEstimated === true);
  return { unit, runs: amounts.length, low: Math.min(...amounts), high: Math.max(...amounts), last, estimated };
}

/** More than this is not for a person's eyes at once. */
const mostText = 4 << 20;

async function partOf(runs: RepositoryRuns, runId: string, artifact: ArtifactRef): Promise<ShownPart> {
  const { ref, kind, summary } = artifact;
  const common = { ref, summary: visibleText(summary) };
  if (kind === "diff") {
    const { bytes } = await runs.artifact(runId, ref);
    return { ...common, kind, patch: showPatch(bytes) };
  }
  const { bytes, total } = await runs.artifact(runId, ref, { max: mostText });
  const text = visibleText(new TextDecoder().decode(bytes));
  return { ...common, kind: "text", of: kind, text, rest: Math.max(0, total - bytes.length) };
}

function summaryOf({ decisions }: FullView, { id, kind, parts }: Pick<Gate, "id" | "kind" | "parts">) {
  const summary = decisions.find(({ gateId }) => gateId === id) ?? null;
  const kinds = parts?.map((part) => part.kind);
  return { summary, risk: summary?.risk ?? worstRisk(kind, kinds) };
}

async function attemptTable(runs: RepositoryRuns, runId: string): Promise<string[]> {
  const attempts = await attemptsOf(runs, runId);
  return attempts ? attemptLines(attempts, runId) : [];
}

export async function gateDetails(
  { ports, folder }: Pick<Context, "ports" | "folder">,
  wanted: string | undefined,
): Promise<GateDetails> {
  await using runs = await ports.runs(folder);
  const runId = await runs.find(wanted);
  const [events, view] = [await runs.events(runId), await runs.full(runId)];
  const opened = new Map(
    events.flatMap(({ event, at }) => (event.type === "approval_required" ? [[event.gate.id, at] as const] : [])),
  );
  const gates = await Promise.all(
    (await runs.gates(runId)).map(async ({ id, kind, lane, title, phrase, answers, subject, cause, parts }) => ({
      id,
      kind,
      lane,
      title: visibleText(title),
      phrase,
      answers,
      sha256: subject.sha256,
      text: subject.text,
      ...summaryOf(view, { id, kind, parts }),
      cause: cause ?? null,
      since: opened.get(id) ?? view.updatedAt,
      parts: await Promise.all(subject.refs.map((artifact) => partOf(runs, runId, artifact))),
    })),
  );
  const checks = events.findLast(({ event }) => event.type === "checks_discovered")?.event;
  const commands =
    checks?.type === "checks_discovered"
      ? checks.checks.map(({ argv, source }) => ({ command: shellQuote(argv), source }))
      : [];
  const { findings, reviewLanes: lanes, goal, state } = view;
  const takes = gates.some(({ summary }) => summary?.sort === "result");
  const failing = gates.length === 0 ? [] : await failingChecks(runs, runId, events);
  return {
    runId,
    repo: runs.repo,
    goal: visibleText(goal),
    state,
    gates,
    commands,
    failing,
    attempts: takes ? await attemptTable(runs, runId) : [],
    meets: takes ? await meetingLines(runs, runId, events) : [],
    pushesTo: gates.some(({ summary }) => summary?.branch) ? await runs.destination() : null,
    usual: gates.some(({ summary }) => summary?.sort === "start") ? await usualCost(runs) : null,
    findings,
    lanes,
  };
}
