// The view of a gate: a screen that the decision fits on, and its answers. An approval is possible after the change and the
// doubts were on the screen; everything else that it covers is one key away.
import type { GateAnswer, TerminalSize } from "../../../core/contract/index.ts";
import { type Line, line, piece } from "../text/line.ts";
import { changeLines } from "../views/diff.ts";
import { type Keys, lowest, pageLines, roomOf, scrolled, whereText } from "../views/page.ts";
import { sheetOf } from "../../../operations/run-data/index.ts";
import { gateScreen, planLines, type GateScreen } from "../views/gate.ts";
import { evidenceLines } from "../views/evidence.ts";
import { spentText } from "../views/result.ts";
import { elapsed } from "../views/text.ts";
import type { ScreenView } from "./view.ts";
import { answerKeys, deliveryKeys, type GateOptions, passing } from "./gate-answers.ts";
import { createCrewView } from "./crew.ts";
import { createGateQuestion } from "./gate-question.ts";
import { createTextView } from "./text-view.ts";

const seeFirst = line(
  piece("Scroll to the end of the change first: ", "ask"),
  "what you approve must have been on the screen. (space, end)",
);

/** Keys that open another view of the same gate. */
function lookKeys({ gate, open }: GateOptions): Keys {
  const sort = gate.summary?.sort ?? "other";
  if (sort === "result")
    return [
      ["e", "evidence"],
      ["d", "diff"],
    ];
  if (sort === "start")
    return [
      ["p", "plan"],
      ["c", "crew"],
      ["e", "all"],
    ];
  return open.gates.length > 0 && !gate.answers.includes("extend") ? [["e", "all"]] : [];
}

/** Goal and criteria can be changed with the approval of a start. */
const restates = ({ summary, answers }: GateOptions["gate"]): boolean =>
  summary?.sort === "start" && answers.includes("approve");

/** A small screen drops the last ones but the help, so what covers the approval and the way out stand before ends of the run. */
function keysOf(options: GateOptions): Keys {
  const { gate } = options;
  const answered = answerKeys(gate).map(({ answer, key, word }) => ({ answer, shown: [key, word] as const }));
  const pick = (wanted: (answer: GateAnswer) => boolean) =>
    answered.flatMap(({ answer, shown }) => (wanted(answer) ? [shown] : []));
  const looks = lookKeys(options);
  return [
    ...pick((answer) => passing.includes(answer)),
    ...deliveryKeys(gate),
    ...pick((answer) => answer === "revise" || answer === "reject"),
    ...looks.slice(0, 1),
    ["l", "later"],
    ...(restates(gate) ? [["g", "goal"] as const] : []),
    ...looks.slice(1),
    ...pick((answer) => answer === "abort"),
    ["?", "help"],
  ];
}

function headOf({ gate, open: { runId, repo } }: GateOptions): { title: Line; aside: Line } {
  const { summary } = gate;
  const name = repo.split("/").at(-1) ?? repo;
  if (!summary || summary.sort === "other")
    return {
      title: line(piece("Your decision", "bold"), piece(`  ${runId}`, "dim")),
      aside: line(piece(`${gate.risk} risk`, gate.risk === "high" ? "bad" : "dim")),
    };
  if (summary.sort === "start")
    return { title: line(piece("Start?  ", "ask"), piece(summary.goal, "bold")), aside: line(piece(name, "dim")) };
  return {
    title: line(piece(summary.goal, "bold")),
    aside: line(piece(`${name}  ${spentText(summary, elapsed)}`, "dim")),
  };
}

/** The other views of a gate, by their key. */
function createLooks(options: GateOptions): (key: string) => boolean {
  const { deps, open, gate } = options;
  const { runId } = open;
  const show = (title: string, command: string, lines: (columns: number) => readonly Line[]) => {
    deps.open(createTextView({ deps, title, command, lines }));
    return true;
  };
  const plans = sheetOf(gate).said;
  return (key) => {
    if (!lookKeys(options).some(([known]) => known === key)) return false;
    if (key === "d")
      return show("The whole change", `thehood diff ${runId}`, (columns) =>
        sheetOf(gate).changes.flatMap((one) => changeLines(one, columns)),
      );
    if (key === "c" && gate.summary?.start) {
      deps.open(createCrewView(options, gate.summary.start));
      return true;
    }
    if (key === "p")
      return show("The plan", `thehood show ${runId}`, (columns) =>
        plans.length === 0 ? [line("There is no plan yet.")] : planLines(gate, columns),
      );
    return show("Everything that an answer covers", `thehood status ${runId} --verbose`, (columns) =>
      evidenceLines(gate, open, columns),
    );
  };
}

export function createGateView(options: GateOptions): ScreenView {
  const { deps, open, gate, later } = options;
  const { runId } = open;
  const question = createGateQuestion(options);
  const look = createLooks(options);
  const head = headOf(options);
  let top = 0;
  let seen = false;
  let drawn: { columns: number; rows: number; screen: GateScreen } | undefined;
  const screenFor = ({ columns, rows }: TerminalSize): GateScreen => {
    if (drawn?.columns !== columns || drawn.rows !== rows)
      drawn = { columns, rows, screen: gateScreen(gate, open, columns, roomOf({ columns, rows })) };
    return drawn.screen;
  };

  function ask(answer: GateAnswer): void {
    if (passing.includes(answer) && !seen) deps.showNote(seeFirst);
    else question.ask(answer);
  }

  function noteOf({ lines }: GateScreen, size: TerminalSize): Line {
    const note = deps.note();
    if (note.length > 0) return note;
    const where = whereText(top, lines.length, size);
    if (!seen) return line(piece(`${where}; scroll on to approve`, "ask"));
    return where === "all of it" ? [] : line(piece(where, "dim"));
  }

  function deliver(key: "b" | "p"): void {
    if (seen) question.deliver(key);
    else deps.showNote(seeFirst);
  }

  /** `y` at the start, where nothing is at stake yet, is the whole answer. */
  function answerBy(key: string): void {
    const start = gate.summary?.sort === "start";
    if (start && key === "y" && gate.answers.includes("approve") && seen) return question.decideNow("approve");
    const found = answerKeys(gate).find((one) => one.key === key || (start && key === "n" && one.answer === "reject"));
    if (found) ask(found.answer);
  }

  return {
    typing: () => question.typing(),
    frame(size) {
      const screen = screenFor(size);
      top = Math.min(top, lowest(screen.lines.length, size));
      seen ||= top + roomOf(size) >= screen.mustSee;
      return pageLines(
        {
          ...head,
          body: screen.lines,
          top,
          note: question.note() ?? noteOf(screen, size),
          keys: question.keys() ?? keysOf(options),
        },
        size,
      );
    },
    key(key, size) {
      if (question.takes(key) || look(key)) return;
      if (key === "g" && restates(gate)) return seen ? question.restate() : deps.showNote(seeFirst);
      if ((key === "b" || key === "p") && deliveryKeys(gate).length > 0) return deliver(key);
      const answered = answerKeys(gate).some((one) => one.key === key);
      const moved = answered ? undefined : scrolled(top, key, screenFor(size).lines.length, size);
      if (moved !== undefined) top = moved;
      else if (["l", "q", "escape"].includes(key)) later();
      else if (key === "o") deps.browse(runId);
      else answerBy(key);
    },
  };
}
