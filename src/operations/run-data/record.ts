// A run as one record that opens anywhere: its story, its report, its changes and the text of its artifacts, redacted
// like every sink.
import { type Activity, FailureError } from "../../core/contract/index.ts";
import {
  checkViews,
  passViews,
  timeline,
  type CheckView,
  type PassView,
  type Timeline,
} from "../../core/machine/view/index.ts";
import type { Context, FullView, RepositoryRuns } from "../context/index.ts";
import { runStatusOf } from "./snapshot.ts";
import { showPatch, type ShownPatch } from "../../core/patch/index.ts";
import { passChange } from "./change.ts";

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

export interface RunRecord {
  readonly story: RunStory;
  readonly report: { readonly markdown: string; readonly report: string } | null;
  /** The changes by their ref. */
  readonly changes: Readonly<Record<string, ShownPatch & { readonly ref: string }>>;
  readonly artifacts: Readonly<Record<string, RecordedText>>;
}

interface RecordedText {
  readonly content?: string;
  readonly binary?: true;
  readonly total_bytes: number;
}

type Redact = (text: string) => Promise<string>;

/** Every text inside a value. */
async function redacted<T>(value: T, redact: Redact): Promise<T> {
  if (typeof value === "string") return (value.length < 8 ? value : await redact(value)) as T;
  if (Array.isArray(value)) return (await Promise.all(value.map((entry) => redacted(entry, redact)))) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(async ([key, entry]) => [key, await redacted(entry, redact)]);
  return Object.fromEntries(await Promise.all(entries)) as T;
}

const mostText = 1 << 20;
const mostTexts = 24 << 20;

async function textOf(runs: RepositoryRuns, runId: string, ref: string, redact: Redact): Promise<RecordedText> {
  const { bytes, total } = await runs.artifact(runId, ref, { max: mostText });
  if (bytes.subarray(0, 8_000).includes(0)) return { binary: true, total_bytes: total };
  const content = await redact(new TextDecoder().decode(bytes));
  const rest = total > bytes.length ? `\n… ${total - bytes.length} more bytes are not in this record` : "";
  return { content: `${content}${rest}`, total_bytes: total };
}

/** A patch whose lines the redaction has moved cannot be read as one any more: then only its text is shown. */
async function changeOf(runs: RepositoryRuns, runId: string, ref: string, redact: Redact): Promise<ShownPatch> {
  const { bytes } = await runs.artifact(runId, ref);
  return showPatch(await redact(new TextDecoder().decode(bytes)));
}

/** The trees of a pass may be on another machine, or gone: then the record has the whole change of the pass only. */
function leftOut(error: unknown): undefined {
  if (!(error instanceof FailureError)) throw error;
}

export async function readRunRecord(context: Context, wanted: string | undefined): Promise<RunRecord> {
  const redact: Redact = async (text) => (await context.ports.judges.secrets(text)).redacted;
  const story = await storyOf(context, wanted);
  await using runs = await context.ports.runs(context.folder);
  const { runId } = story;
  const changes: Record<string, ShownPatch & { ref: string }> = {};
  for (const ref of story.passes.flatMap(({ full, step }) => [full, step]))
    if (ref !== null) changes[ref] ??= { ref, ...(await changeOf(runs, runId, ref, redact)) };
  for (const { pass, full } of story.passes)
    if (pass > 1 && full !== null) {
      const bytes = await passChange(runs, runId, pass).catch(leftOut);
      const ref = `pass ${pass}`;
      if (bytes) changes[ref] = { ref, ...showPatch(await redact(new TextDecoder().decode(bytes))) };
    }
  const artifacts: Record<string, RecordedText> = {};
  let taken = 0;
  for (const { ref, bytes } of story.view.artifacts) {
    if (artifacts[ref] || taken + Math.min(bytes, mostText) > mostTexts) continue;
    taken += Math.min(bytes, mostText);
    artifacts[ref] = await textOf(runs, runId, ref, redact);
  }
  const text = (ref: string): string => artifacts[ref]?.content ?? "";
  const report = story.report && { markdown: text(story.report.markdown), report: text(story.report.report) };
  // A reader elsewhere has no use for the folders of this machine.
  const repo = story.repo.split("/").findLast(Boolean) ?? "";
  return { story: await redacted({ ...story, repo }, redact), report, changes, artifacts };
}
