// A run as it went: where it stands, its lanes over time, the work of each pass, the checks before and after.
import type { Activity } from "../../core/contract/index.ts";
import { checkViews, passViews, timeline } from "../../core/machine/view/index.ts";
import type { CheckView, PassView, Timeline } from "../../core/machine/view/index.ts";
import type { Context, FullView } from "../context/index.ts";
import { runStatusOf } from "./snapshot.ts";

export interface RunStory {
  readonly runId: string;
  readonly repo: string;
  readonly idle: boolean;
  readonly working: boolean;
  /** The present work of each agent and check. */
  readonly activities: readonly Activity[];
  readonly view: FullView;
  readonly timeline: Timeline;
  readonly passes: readonly PassView[];
  readonly checks: readonly CheckView[];
  /** The final report as JSON and as text, once it is written. */
  readonly report: { readonly report: string; readonly markdown: string } | null;
}

export async function storyOf({ ports, folder }: Context, wanted: string | undefined): Promise<RunStory> {
  await using runs = await ports.runs(folder);
  const runId = await runs.find(wanted);
  const { idle, working, activities } = await runStatusOf(runs, runId);
  const entries = await runs.events(runId);
  const report = await runs.report(runId);
  return {
    runId,
    repo: runs.repo,
    idle,
    working,
    activities,
    view: await runs.full(runId),
    timeline: timeline(entries),
    passes: passViews(entries),
    checks: checkViews(entries),
    report: report && { report: report.report.ref, markdown: report.markdown.ref },
  };
}
