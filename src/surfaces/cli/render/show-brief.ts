// A run in at most twenty lines: what it is about, where it stands, what it came to, and what comes next.
import { doubtLabels, plainLine, type Spell } from "../../../core/contract/index.ts";
import type { FullView } from "../../../operations/index.ts";
import { reasonText, stateText } from "../../../operations/run-data/index.ts";
import { describeActivity } from "../../../operations/text/index.ts";
import type { ShownRun } from "./show-text.ts";

const mostLines = 20;

const marks = { satisfied: "✔", pending: "·", needs_revision: "↻", blocked: "◆", failed: "✘", skipped: "–" } as const;

function workLine({ work }: FullView): string[] {
  if (!work) return [];
  const { files, added, removed, passing, checks, planted, noticed } = work;
  const parts = [
    `${files} ${files === 1 ? "file" : "files"} +${added} −${removed}`,
    ...(checks > 0 ? [`checks ${passing === checks ? "✔" : "✘"} ${passing} of ${checks}`] : []),
    ...(planted > 0 ? [`noticed ${noticed} of ${planted} planted mistakes`] : []),
  ];
  return [`work      ${parts.join(" · ")}`];
}

function reviewLine({ reviewLanes }: FullView): string[] {
  const spoken = reviewLanes.filter(
    ({ id, state }) => id !== "validation" && state !== "pending" && state !== "skipped",
  );
  return spoken.map(({ id, state, why }) => `${id.padEnd(9)} ${marks[state]} ${plainLine(why, 140)}`);
}

const next = ({ next: actions }: FullView, spell: Spell): string[] =>
  actions
    .flatMap(({ command }) => (command === null || command.suggest === "status" ? [] : [spell(withoutProof(command))]))
    .slice(0, 3)
    .map((command) => `→ ${command}`);

type Command = NonNullable<FullView["next"][number]["command"]>;

/** A terminal asks for what an answer needs. */
function withoutProof(command: Command): Command {
  if (command.suggest !== "answer") return command;
  const { gateId: _, phrase: _phrase, shown: _shown, ...rest } = command;
  return rest;
}

export function briefShow({ view, style, spell, activities = [], failing = [] }: ShownRun): string {
  const { counts, crew } = view;
  const state = stateText(view.state, view.stopReason).replaceAll("_", " ");
  const reason = reasonText(view.stopReason);
  // A question is not a failure; its class is for programs, and in the long form.
  const isFailure = view.failureClass !== null && view.failureClass !== "approval_required";
  const kind = isFailure ? `  class: ${view.failureClass}` : "";
  const head = [
    style.bold(plainLine(view.goal, 300)),
    `${view.runId}  ${state}${reason}  ${style.dim(`${view.mode}${kind}`)}`,
    `now       ${plainLine(view.monitor.doing, 300)}`,
    ...activities.slice(0, 2).map((one) => `          ${style.dim(plainLine(describeActivity(one, Date.now()), 300))}`),
    `crew      ${crew
      .filter(({ role }) => role === "implementer" || role === "verifier" || crew.length < 3)
      .map(({ role, assignment }) => `${role} ${assignment}`)
      .join(", ")}`,
    `used      ${counts.responses} of ${counts.maxIterations} model calls, ${counts.tokens} tokens, ${counts.cost}, ${counts.passes} ${counts.passes === 1 ? "pass" : "passes"}`,
    ...workLine(view),
    ...reviewLine(view),
    ...view.doubts
      .slice(0, 3)
      .map(({ kind: what, place }) => `${style.yellow("doubt")}     ${doubtLabels[what]}: ${plainLine(place, 160)}`),
    ...failing
      .slice(0, 2)
      .map(({ command, result }) => `${style.red("red")}       ${command}: ${result.replaceAll("_", " ")}`),
    ...view.gates.map(({ title }) => style.yellow(`◆ ${plainLine(title, 200)}`)),
  ];
  const tail = [...next(view, spell), style.dim(`everything: thehood show ${view.runId} --verbose`)];
  return `${[...head.slice(0, mostLines - tail.length), ...tail].join("\n")}\n`;
}
