// What is printed where a run stops in front of a person: its end in four lines, or the gate that stays open in three.
import { doubtLabels, plainLine, type Doubt, type Spell } from "../../../core/contract/index.ts";
import { amountText } from "../../../core/machine/view/index.ts";
import type { CompactStatus, FullView, RepositoryRuns } from "../../../operations/index.ts";
import {
  elapsed,
  ends,
  fitLine,
  line,
  lineWidth,
  piece,
  textOf,
  type Line,
  type Piece,
} from "../../terminal/print/index.ts";

interface Report {
  readonly goal: string;
  readonly stopReason: string;
  readonly doubts?: readonly Doubt[];
  readonly claims: readonly { readonly statement: string; readonly standing: string }[];
  readonly changedPaths: readonly string[];
  readonly spent: { readonly workingMs: number; readonly cost: { readonly usd: number } };
}

export interface EndedRun {
  readonly runId: string;
  readonly columns: number;
  readonly color: boolean;
  readonly spell: Spell;
}

/** Where the work is now, from the longest text to the shortest. The commands below name the branch, too. */
function placeTexts({ changedPaths }: Report, { deliver, undo }: FullView): readonly string[] {
  if (undo?.state === "done") return [", taken out again"];
  if (deliver.branch !== null) return [`, on branch ${plainLine(deliver.branch, 80)}`, ", on its branch"];
  if (changedPaths.length === 0) return [", nothing changed"];
  return [deliver.commit ? ", committed" : ", not committed"];
}

/** Columns that a goal needs to be known again. */
const goalColumns = 12;

/** `✔ Done in 3 min 12 s, $0.34`, with the goal and the size of the work. */
function headLine(report: Report, view: FullView, columns: number): Line {
  const { goal, spent, doubts = [] } = report;
  const { work } = view;
  const cost = spent.cost.usd > 0 ? `, ${amountText(spent.cost)}` : "";
  const mark: Piece = doubts.length > 0 ? piece("? Done with doubts", "ask") : piece("✔ Done", "good");
  const size = work ? `${work.files} ${work.files === 1 ? "file" : "files"} +${work.added} −${work.removed}` : "";
  const spentLine = line(mark, ` in ${elapsed(spent.workingMs)}${cost}  `);
  const asides = placeTexts(report, view).map((place) => line(piece(`  ${size}${place}`.replace("  , ", "  "), "dim")));
  const fits = (aside: Line) => lineWidth(spentLine) + goalColumns + lineWidth(aside) <= columns;
  const aside = asides.find(fits) ?? asides.at(-1) ?? [];
  return ends([...spentLine, piece(plainLine(goal, 200), "bold")], aside, columns);
}

function proofLine({ claims }: Report, { work, crew, lanes }: FullView): Line {
  const proven = claims.filter(({ standing }) => standing === "proven").length;
  const verifier = crew.find(({ role }) => role === "verifier")?.assignment;
  const verified = lanes.some(({ id, state }) => id === "verifier" && state === "satisfied");
  const parts = [
    ...(work && work.checks > 0
      ? [`checks ${work.passing === work.checks ? "✔" : "✘"} ${work.passing} of ${work.checks}`]
      : []),
    ...(verified && verifier ? [`verified by ${verifier}`] : ["not verified"]),
    `${proven} of ${claims.length} claims proven`,
  ];
  return line(piece(`  ${parts.join(" · ")}`, "dim"));
}

/** The first doubt by its place, and how many more there are. */
function doubtLine({ doubts = [] }: Report, { work }: FullView): Line[] {
  const [first] = doubts;
  const missed = work ? work.planted - work.noticed : 0;
  if (!first && missed === 0) return [];
  const more = doubts.length > 1 ? ` and ${doubts.length - 1} more` : "";
  const text = first
    ? `${doubtLabels[first.kind]}: ${plainLine(first.place, 200)}${more}`
    : `${missed} of ${work?.planted} planted mistakes ${missed === 1 ? "was" : "were"} not noticed`;
  return [line(piece(`  ⚠ ${text}`, "ask"), piece("  (thehood report)", "dim"))];
}

const branchWord = (name: string): string => (/^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`);

/** What can be done with the work from here. Work on a branch is not in the checkout: there is nothing to undo. */
function nextCommands({ changedPaths }: Report, { deliver, undo }: FullView): readonly string[] {
  if (changedPaths.length === 0 || undo?.state === "done") return ["thehood report"];
  if (deliver.branch === null) return ["git diff", "thehood commit", "thehood undo", "thehood report"];
  const branch = branchWord(plainLine(deliver.branch, 80));
  return [`git show ${branch}`, `git checkout ${branch}`, "thehood pr", "thehood report"];
}

/** The commands in a row; where not all fit, those of TheHood stay whole. */
function commandsLine(commands: readonly string[], columns: number): Line {
  const row = (shown: readonly string[]): Line =>
    line("  ", ...shown.flatMap((command, at) => [piece(at > 0 ? " · " : "", "dim"), piece(command, "info")]));
  const own = commands.filter((command) => !command.startsWith("git checkout"));
  return [commands, own].map(row).find((one) => lineWidth(one) <= columns) ?? row(own);
}

/** Empty when no report was written. */
export async function endText(runs: RepositoryRuns, { runId, columns, color }: EndedRun): Promise<string> {
  const written = await runs.report(runId);
  if (!written) return "";
  const { bytes } = await runs.artifact(runId, written.report.ref);
  const report = JSON.parse(new TextDecoder().decode(bytes)) as Report;
  const view = await runs.full(runId);
  const lines = [
    headLine(report, view, columns),
    proofLine(report, view),
    ...doubtLine(report, view),
    commandsLine(nextCommands(report, view), columns),
  ];
  return `${textOf(
    lines.map((one) => fitLine(one, columns)),
    color,
  )}\n`;
}

/** A gate that stays open: what it asks, and how to decide. */
export function laterText(
  { goal, gate, runId }: CompactStatus,
  { columns, color, spell }: Omit<EndedRun, "runId">,
): string {
  const lines = [
    line(piece("◆ Needs you: ", "ask"), plainLine(gate?.title ?? "", 200), piece(`  ${plainLine(goal, 200)}`, "dim")),
    line("  decide  ", piece(spell({ suggest: "answer", answer: "approve", runId }), "info")),
    line("  look    ", piece(spell({ suggest: "status", runId }), "info")),
  ];
  return `${textOf(
    lines.map((one) => fitLine(one, columns)),
    color,
  )}\n`;
}
