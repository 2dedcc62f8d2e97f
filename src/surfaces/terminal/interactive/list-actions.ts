// What the list of runs does beside opening one: filter by a text, abort, undo, and end all stopped runs at once. Each asks
// once more, and y answers.
import type { HomeRow } from "../../../operations/run-data/index.ts";
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
  keys(): Keys;
}

const reason = "ended from the list of runs";

export function createListActions(deps: ViewDeps): ListActions {
  let filter = "";
  let typing = false;
  let asking: Question | undefined;

  const abort = ({ runId, repo }: HomeRow) => deps.at(repo).act("abort", { runId, reason });

  function questionFor(key: string, chosen: HomeRow | undefined, rows: readonly HomeRow[]): Question | undefined {
    const open = chosen && chosen.group !== "ended";
    if (key === "A" && open)
      return { text: `End “${chosen.goal.slice(0, 60)}”? Its work is kept.`, act: () => abort(chosen) };
    if (key === "u" && chosen?.state === "completed")
      return {
        text: `Take the work of “${chosen.goal.slice(0, 60)}” out of the checkout?`,
        act: () => deps.at(chosen.repo).act("undo", { runId: chosen.runId }),
      };
    const stopped = rows.filter(({ group }) => group === "stopped");
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

  function type(key: string): void {
    if (key === "enter") typing = false;
    else if (key === "escape") [filter, typing] = ["", false];
    else if (key === "backspace") filter = [...filter].slice(0, -1).join("");
    else if (key === "ctrl-u") filter = "";
    else if ([...key].length === 1) filter += key;
  }

  return {
    filter: () => filter,
    typing: () => typing,
    takes(key, chosen, rows) {
      if (typing) type(key);
      else if (asking) answer(key, asking);
      else if (key === "/") typing = true;
      else if (key === "escape" && filter !== "") filter = "";
      else {
        asking = questionFor(key, chosen, rows);
        return asking !== undefined;
      }
      return true;
    },
    note() {
      if (asking) return line(piece(`${asking.text} `, "ask"), piece("y/n", "bold"));
      return typing || filter !== "" ? line(piece("/", "ask"), filter, piece(typing ? "▏" : "", "ask")) : undefined;
    },
    keys: () => [
      ["/", "find"],
      ["A", "abort"],
      ["u", "undo"],
    ],
  };
}
