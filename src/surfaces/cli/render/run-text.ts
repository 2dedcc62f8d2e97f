// The status of a run as text, and what is printed at its end.
import { type Activity, plainLine, plainText, type Spell, type Suggestion } from "../../../core/contract/index.ts";
import type { CompactStatus } from "../../../operations/index.ts";
import { reasonText, stateText } from "../../../operations/run-data/index.ts";
import { describeActivity } from "../../../operations/text/index.ts";
import type { Style } from "../../argv/index.ts";

function stateWord({ state, stopReason }: Pick<CompactStatus, "state" | "stopReason">, style: Style): string {
  const text = stateText(state, stopReason);
  if (text !== state) return style.yellow(text);
  if (state === "completed") return style.green(state);
  if (state === "failed" || state === "aborted") return style.red(state);
  return state === "awaiting_approval" ? style.yellow("awaiting approval") : style.cyan(state);
}

const laneMarks = {
  satisfied: "✔",
  pending: "·",
  needs_revision: "↻",
  blocked: "◆",
  failed: "✘",
  skipped: "–",
} as const;

export function statusText(
  status: CompactStatus,
  gates: readonly { readonly text: string; readonly whole: boolean }[],
  style: Style,
  spell: Spell,
  activities: readonly Activity[] = [],
): string {
  const { counts } = status;
  const lanes = status.lanes
    .map((lane) => `${laneMarks[lane.state]} ${lane.id}${lane.required ? "" : style.dim(" (advisory)")}`)
    .join("  ");
  return [
    style.bold(plainText(status.goal)),
    `${status.runId}  ${stateWord(status, style)}${reasonText(status.stopReason)}  ${style.dim(status.failureClass ? `${status.mode}  class: ${status.failureClass}` : status.mode)}`,
    "",
    `${status.monitor.doing}`,
    ...activities.map((one) => `  ${style.dim(plainLine(describeActivity(one, Date.now()), 600))}`),
    ...leftText(status),
    ...shortNext(status, style, spell),
    style.dim(
      `${counts.responses} of ${counts.maxIterations} model calls, ${counts.tokens} tokens, ${counts.cost}, ${counts.passes} ${counts.passes === 1 ? "pass" : "passes"}, ${counts.events} events, ${counts.findings} ${counts.findings === 1 ? "finding" : "findings"}`,
    ),
    ...(status.mode === "implement" ? [lanes] : []),
    ...(status.said ? ["", `${style.dim(`${status.said.role} said:`)} ${status.said.summary}`] : []),
    ...gates.flatMap(({ text }) => ["", text]),
    "",
    ...nextText(status, style, gates.every(({ whole }) => whole) ? spell : withoutHash(spell)),
    "",
  ].join("\n");
}

/** A run that ended without success says that its work is not in the checkout, unless the next command undoes it. */
export function leftText({ runId, mode, state, next, counts }: CompactStatus): string[] {
  const over = state === "aborted" || state === "failed";
  if (!over || mode !== "implement" || next.some(({ kind }) => kind === "undo")) return [];
  const kept = counts.passes > 0 ? ` Work that it captured is kept: thehood diff ${runId}` : "";
  return [`Nothing of this run is in the checkout.${kept}`];
}

/** A run that has no result yet, for a person who wants few words: its state, the reason, and the next command. */
export const briefText = (status: CompactStatus, style: Style, spell: Spell): string =>
  [
    `${status.runId}  ${stateWord(status, style)}: ${status.monitor.doing}`,
    ...leftText(status),
    ...shortNext(status, style, spell),
    "",
  ].join("\n");

type Answering = Extract<Suggestion, { suggest: "answer" }>;

/** The answer without what the terminal asks for itself; the amount that extends a budget stays. */
function withoutProof(answering: Answering): Suggestion {
  const { gateId: _, phrase: _phrase, shown: _shown, ...answer } = answering;
  return answer;
}

/** The one short command that goes on, near the top: a long gate may fill the screen. */
function shortNext(status: CompactStatus, style: Style, spell: Spell): string[] {
  const first = status.next.find(({ command }) => command !== null && command.suggest !== "status")?.command;
  if (!first) return [];
  const short = first.suggest === "answer" ? withoutProof(first) : first;
  return [`${style.dim("→")} ${spell(short)}`];
}

/** A reader who has seen a part of a gate is not given the hash of all of it. */
const withoutHash =
  (spell: Spell): Spell =>
  (suggestion) => {
    if (suggestion.suggest !== "answer") return spell(suggestion);
    const { shown: _, ...rest } = suggestion;
    return spell(rest);
  };

export function nextText(status: CompactStatus, style: Style, spell: Spell): string[] {
  // A person who reads this has just seen the status.
  const rows = status.next.flatMap(({ command, reason }) =>
    command === null || command.suggest === "status" ? [] : [{ command: spell(command), reason }],
  );
  return rows.length === 0
    ? []
    : [style.bold("Next"), ...rows.map((row) => `  ${style.cyan(row.command)}\n      ${style.dim(row.reason)}`)];
}
