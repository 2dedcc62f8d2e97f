// Everything about a run; nothing is left out.
import { type Activity, plainLine, type Spell } from "../../../core/contract/index.ts";
import type { FullView } from "../../../operations/index.ts";
import type { FailingCheck } from "../../../operations/run-data/index.ts";
import type { Style } from "../../argv/index.ts";
import { statusText } from "./run-text.ts";

const calls = (count: number): string => (count === 0 ? "" : count === 1 ? "1 call" : `${count} calls`);

/** What a run shows, how it is written, and what is going on now. */
export interface ShownRun {
  readonly view: FullView;
  readonly style: Style;
  readonly spell: Spell;
  readonly activities?: readonly Activity[];
  readonly failing?: readonly FailingCheck[];
}

export function showText({ view, style, spell, activities = [], failing = [] }: ShownRun): string {
  const section = (title: string, rows: readonly string[]) =>
    rows.length > 0 ? [style.bold(title), ...rows.map((row) => `  ${row}`), ""] : [];
  return [
    statusText(
      view,
      view.gates.map((gate) => ({
        text: `${style.yellow(`◆ ${gate.title}`)}\n  ${style.dim(`${gate.id} · ${gate.kind}`)}`,
        whole: false,
      })),
      style,
      spell,
      activities,
    ),
    ...section(
      "Crew",
      view.crewLanes
        .filter(({ state }) => state !== "unassigned")
        .map(
          (lane) =>
            `${lane.title.padEnd(15)} ${lane.label.padEnd(24)} ${(lane.owner.assignment ?? lane.owner.kind).padEnd(22)} ${lane.authority.padEnd(10)} ${lane.state.padEnd(10)} ${style.dim(calls(lane.calls))}`,
        ),
    ),
    ...section(
      "Responsibilities",
      view.responsibilities.map(
        (row) =>
          `${row.id.padEnd(18)} ${row.status.padEnd(12)} ${row.required ? "required" : style.dim("advisory")}${row.blockers.length > 0 ? `  ${plainLine(row.blockers.join("; "), 120)}` : ""}`,
      ),
    ),
    ...section(
      "Reviews",
      view.reviewLanes.map((lane) => `${lane.title.padEnd(20)} ${lane.state.padEnd(15)} ${plainLine(lane.why, 120)}`),
    ),
    ...section(
      "Revisions",
      view.revisionTrail.map(
        (trail) =>
          `${trail.revisionId}  ${trail.reasonCode}${trail.failureClass === null ? "" : ` (${trail.failureClass})`} → ${trail.status}: ${plainLine(trail.reason, 120)}`,
      ),
    ),
    ...section(
      "Handoffs",
      view.handoffs.map(
        (entry) => `${String(entry.seq).padStart(4)}  ${entry.from} → ${entry.to}: ${plainLine(entry.reason, 100)}`,
      ),
    ),
    ...section(
      "Findings",
      view.findings.map((entry) => `${entry.severity.padEnd(9)} ${plainLine(entry.message, 140)}`),
    ),
    ...failing.flatMap(({ command, result, lines }) =>
      section(`What failed: ${command} (${result.replaceAll("_", " ")})`, lines),
    ),
    ...section(
      "Artifacts",
      view.artifacts.map(
        (entry) => `${entry.ref.slice(7, 19)}  ${entry.kind.padEnd(20)} ${plainLine(entry.summary, 90)}`,
      ),
    ),
  ].join("\n");
}
