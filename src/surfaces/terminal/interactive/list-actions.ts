// What the list of runs does beside opening one: start a run, filter by a text, abort, undo, and end all stopped runs at
// once. What ends or undoes something asks once more, and y answers.
import type { HomeRow, RunSnapshot } from "../../../operations/run-data/index.ts";
import { type Line, line, piece } from "../text/line.ts";
import type { Keys } from "../views/page.ts";
import type { ViewDeps } from "./view.ts";

interface Question {
  readonly text: string;
  act(): Promise<unknown>;
}

export interface ListActions {
  /** The text that rows must contain. */
  filter(): string;
  /** Whether typed characters are text. */
  typing(): boolean;
  /** True if the key was taken. */
  takes(key: string, chosen: HomeRow | undefined, rows: readonly HomeRow[]): boolean;
  note(): Line | undefined;
  /** The keys of an open question or of a text that is being typed: no other key does anything then. */
  asks(): Keys | undefined;
  /** The keys that do something else. */
  keys(chosen: HomeRow | undefined, rows: readonly HomeRow[]): Keys;
}

/** A typed line after a key. */
function edited(text: string, key: string): string {
  if (key === "backspace") return [...text].slice(0, -1).join("");
  if (key === "ctrl-u") return "";
  return [...key].length === 1 ? text + key : text;
}

const reason = "ended from the list of runs";

export function createListActions(deps: ViewDeps): ListActions {
  let filter = "";
  let typing = false;
  /** The goal of a new run while it is typed. */
  let goal: string | undefined;
  let asking: Question | undefined;

  const isOpen = (row: HomeRow | undefined): row is HomeRow => row !== undefined && row.group !== "ended";
  const stoppedOf = (rows: readonly HomeRow[]) => rows.filter(({ group }) => group === "stopped");

  const abort = ({ runId, repo }: HomeRow) => deps.at(repo).act("abort", { runId, reason });

  function questionFor(key: string, chosen: HomeRow | undefined, rows: readonly HomeRow[]): Question | undefined {
    if (key === "A" && isOpen(chosen))
      return { text: `End “${chosen.goal.slice(0, 60)}”? Its work is kept.`, act: () => abort(chosen) };
    if (key === "u" && chosen?.state === "completed")
      return {
        text: `Take the work of “${chosen.goal.slice(0, 60)}” out of the checkout?`,
        act: () => deps.at(chosen.repo).act("undo", { runId: chosen.runId }),
      };
    const stopped = stoppedOf(rows);
    if (key !== "X" || stopped.length === 0) return undefined;
    return {
      text: `End all ${stopped.length} stopped runs? Their work is kept.`,
      async act() {
        const ended = [];
        for (const row of stopped) ended.push(await abort(row));
        return ended.every((one) => one !== undefined) ? ended : undefined;
      },
    };
  }

  async function perform(question: Question): Promise<void> {
    const done = await question.act();
    if (done !== undefined) deps.showNote(line(piece("✔ done", "good")));
    deps.redraw();
  }

  function answer(key: string, question: Question): void {
    asking = undefined;
    if (key !== "y") return;
    deps.showNote(line(piece("…", "dim")));
    void perform(question);
  }

  async function start(wanted: string): Promise<void> {
    const begun = await deps.act<RunSnapshot>("run", { goal: wanted, mode: "implement", waitSeconds: 0 });
    if (begun !== undefined) deps.showNote(line(piece(`✔ started ${begun.status.runId}`, "good")));
    deps.redraw();
  }

  function typeGoal(key: string, typed: string): void {
    if (key === "escape" || (key === "enter" && typed.trim() === "")) goal = undefined;
    else if (key === "enter") {
      goal = undefined;
      deps.showNote(line(piece("…", "dim")));
      void start(typed.trim());
    } else goal = edited(typed, key);
  }

  function type(key: string): void {
    if (key === "enter") typing = false;
    else if (key === "escape") [filter, typing] = ["", false];
    else filter = edited(filter, key);
  }

  return {
    filter: () => filter,
    typing: () => typing || goal !== undefined,
    takes(key, chosen, rows) {
      if (goal !== undefined) typeGoal(key, goal);
      else if (typing) type(key);
      else if (asking) answer(key, asking);
      else if (key === "/") typing = true;
      else if (key === "n") goal = "";
      else if (key === "escape" && filter !== "") filter = "";
      else {
        asking = questionFor(key, chosen, rows);
        return asking !== undefined;
      }
      return true;
    },
    note() {
      if (asking) return line(piece(`${asking.text} `, "ask"), piece("y/n", "bold"));
      if (goal !== undefined) return line(piece("New run here, its goal: ", "ask"), goal, piece("▏", "ask"));
      return typing || filter !== "" ? line(piece("/", "ask"), filter, piece(typing ? "▏" : "", "ask")) : undefined;
    },
    asks() {
      if (goal !== undefined)
        return [
          ["enter", "start"],
          ["escape", "cancel"],
        ];
      if (typing)
        return [
          ["enter", "keep"],
          ["escape", "show all"],
        ];
      return asking
        ? [
            ["y", "yes"],
            ["n", "not now"],
          ]
        : undefined;
    },
    keys(chosen, rows) {
      return [
        ["n", "new run"],
        ["/", "find"],
        ...(isOpen(chosen) ? [["A", "abort"] as const] : []),
        ...(chosen?.state === "completed" ? [["u", "undo"] as const] : []),
        ...(stoppedOf(rows).length > 0 ? [["X", "close stopped"] as const] : []),
      ];
    },
  };
}
