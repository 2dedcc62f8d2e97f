// The open gates of a run with the content of everything they name, so that a person reads what they approve.
import { visibleText, type ArtifactRef, type Gate } from "../../core/contract/index.ts";
import { worstRisk, type GateRisk, type GateSummary } from "../../core/machine/view/index.ts";
import { showPatch, type ShownPatch } from "../../core/patch/index.ts";
import type { Context, FullView, RepositoryRuns } from "../context/index.ts";
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
  /** What the last runs here cost, in US dollars; null where none reported its cost. */
  readonly usual: UsualCost | null;
  readonly findings: FullView["findings"];
  readonly lanes: FullView["reviewLanes"];
}

export interface UsualCost {
  readonly runs: number;
  readonly low: number;
  readonly high: number;
  readonly last: number;
}

/** Of the last runs that were completed. */
const mostUsual = 5;

async function usualCost(runs: RepositoryRuns): Promise<UsualCost | null> {
  const rows = await runs.rows({ limit: mostUsual, state: "completed" });
  const costs = rows.flatMap((row) => rowBrief(row).usd ?? []).filter((usd) => usd > 0);
  const [last] = costs;
  return last === undefined ? null : { runs: costs.length, low: Math.min(...costs), high: Math.max(...costs), last };
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
  const failing = gates.length === 0 ? [] : await failingChecks(runs, runId, events);
  return {
    runId,
    repo: runs.repo,
    goal: visibleText(goal),
    state,
    gates,
    commands,
    failing,
    usual: gates.some(({ summary }) => summary?.sort === "start") ? await usualCost(runs) : null,
    findings,
    lanes,
  };
}
