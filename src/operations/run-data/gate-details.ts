// The open gates of a run with the content of everything they name, so that a person reads what they approve.
import { visibleText, type ArtifactRef, type Gate } from "../../core/contract/index.ts";
import { worstRisk, type GateRisk } from "../../core/machine/view/index.ts";
import { showPatch, type ShownPatch } from "../../core/patch/index.ts";
import type { Context, FullView, RepositoryRuns } from "../context/index.ts";
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
  readonly findings: FullView["findings"];
  readonly lanes: FullView["reviewLanes"];
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
      risk: worstRisk(
        kind,
        parts?.map((part) => part.kind),
      ),
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
    findings,
    lanes,
  };
}
