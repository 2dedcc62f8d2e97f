// A run as a person reads it.
import { plainText, type Gate, type Spell } from "../../../contract/index.ts";
import type { CompactStatus } from "../../../operations/index.ts";
import type { Style } from "../../argv/index.ts";

export function stateWord(state: string, style: Style): string {
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
  gates: readonly { readonly gate: Gate; readonly detail: string }[],
  style: Style,
  spell: Spell,
  whole = false,
): string {
  const { counts } = status;
  const lanes = status.lanes
    .map((lane) => `${laneMarks[lane.state]} ${lane.id}${lane.required ? "" : style.dim(" (advisory)")}`)
    .join("  ");
  return [
    style.bold(plainText(status.goal)),
    `${status.runId}  ${stateWord(status.state, style)}${status.stopReason ? ` (${status.stopReason})` : ""}  ${style.dim(status.mode)}`,
    "",
    `${status.monitor.doing}`,
    style.dim(
      `${counts.responses} of ${counts.maxIterations} answers, ${counts.tokens} tokens, ${counts.passes} passes, ${counts.events} events, ${counts.findings} findings`,
    ),
    ...(status.mode === "implement" ? [lanes] : []),
    ...(status.said ? ["", `${style.dim(`${status.said.role} said:`)} ${status.said.summary}`] : []),
    ...gates.flatMap(({ gate, detail }) => ["", gateText(gate, style, detail, whole ? null : status.runId)]),
    "",
    ...nextText(status, style, spell),
    "",
  ].join("\n");
}

/** How many lines of a text at a gate are shown before the rest is pointed at. */
const shownLines = 60;

/** `shortFor` names the run whose gate is cut to a screen; null shows all of it. */
export function gateText(gate: Gate, style: Style, detail = "", shortFor: string | null = null): string {
  const body = plainText(gate.subject.text).split("\n").slice(1);
  return [
    style.yellow(`◆ ${gate.title}`),
    ...bar(body, shortFor),
    ...(detail === "" ? [] : ["  │", ...bar(detail.split("\n"), shortFor)]),
    style.dim(`  ${gate.id} · ${gate.kind} · what is shown: sha256 ${gate.subject.sha256.slice(0, 12)}`),
    ...(gate.phrase ? [`  To approve, your message must say: ${style.bold(gate.phrase)}`] : []),
  ].join("\n");
}

function bar(lines: readonly string[], shortFor: string | null): string[] {
  const rest = shortFor === null ? 0 : lines.length - shownLines;
  const shown = (rest > 0 ? lines.slice(0, shownLines) : lines).map((line) => `  │ ${line}`);
  return rest > 0 ? [...shown, `  │ … ${rest} more lines: thehood status ${shortFor} --verbose`] : shown;
}

export function nextText(status: CompactStatus, style: Style, spell: Spell): string[] {
  // A person who reads this has just seen the status.
  const rows = status.next.flatMap(({ command, reason }) =>
    command === null || command.suggest === "status" ? [] : [{ command: spell(command), reason }],
  );
  return rows.length === 0
    ? []
    : [
        style.bold("Next"),
        ...rows.map((row) => `  ${style.cyan(row.command)}\n      ${style.dim(row.reason)}`),
      ];
}
