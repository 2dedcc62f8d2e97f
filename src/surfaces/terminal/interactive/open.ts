// Opens a stack of views on the terminal, and closes it when the user leaves or the signal fires. The key `?` opens the help.
import { FailureError, type Spell, type TerminalDevice } from "../../../core/contract/index.ts";
import type { Context } from "../../../operations/index.ts";
import { openSession } from "../screen/session.ts";
import { type Line, line, piece, wrapLine } from "../text/line.ts";
import { createPaint } from "../text/paint.ts";
import { type ViewDeps, equals, performNamed, refused, type ScreenView } from "./view.ts";
import { createTextView } from "./text-view.ts";

export interface Opening {
  readonly device: TerminalDevice;
  readonly color: boolean;
  readonly context: Context;
  readonly spell: Spell;
}

/** How often a view refreshes. */
const refreshMs = 500;

/** Resolves when the last view is closed. */
export async function openViews(
  { device, color, context, spell }: Opening,
  first: (deps: ViewDeps) => ScreenView,
): Promise<void> {
  const stack: ScreenView[] = [];
  let note: Line = [];
  let leave = (): void => undefined;
  const left = new Promise<void>((resolve) => (leave = resolve));
  async function attempt<R>(action: () => Promise<R>): Promise<R | undefined> {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      note = refused(error, spell);
      return undefined;
    }
  }
  const depsIn = (context: Context): ViewDeps => ({
    context,
    spell,
    act: <R>(operation: string, input: object) =>
      attempt(async () => (await performNamed(operation, input, context)) as R),
    attempt,
    open(view) {
      stack.push(view);
      void refresh(view).catch(failed.reject);
    },
    back() {
      stack.pop();
      if (stack.length === 0) leave();
    },
    quit: () => leave(),
    showNote: (line) => void (note = line),
    note: () => note,
    edit: (text) => session.edit(text),
    redraw: () => session.redraw(),
    browse(runId) {
      const args = ["web", ...(runId === undefined ? [] : [runId]), "--repo", context.folder];
      note = equals(["thehood", ...args].join(" "));
      device.startBeside(args).catch(failed.reject);
    },
    at: (repo) => depsIn(Object.create(context, { folder: { value: repo } }) as Context),
  });
  const deps = depsIn(context);
  const failed = Promise.withResolvers<never>();
  stack.push(first(deps));
  const help = () => createTextView({ deps, title: "Keys", command: "thehood help", lines: helpLines });
  using session = openSession(device, createPaint(color), {
    frame: (size) => stack.at(-1)?.frame(size, Date.now()) ?? [],
    key(key, size) {
      note = [];
      if (key === "ctrl-c") leave();
      else if (key === "?" && !stack.at(-1)?.typing?.()) deps.open(help());
      else stack.at(-1)?.key(key, size);
    },
  });
  let refreshing = false;
  async function refresh(view: ScreenView | undefined): Promise<void> {
    if (refreshing || !view?.refresh) return;
    refreshing = true;
    try {
      if (await view.refresh()) session.redraw();
    } finally {
      refreshing = false;
    }
  }
  const timer = setInterval(() => void refresh(stack.at(-1)).catch(failed.reject), refreshMs);
  context.signal.addEventListener("abort", leave, { once: true });
  if (context.signal.aborted) leave();
  try {
    await Promise.race([left, failed.promise]);
  } finally {
    clearInterval(timer);
    context.signal.removeEventListener("abort", leave);
  }
}

const rows: readonly (readonly [string, string] | null)[] = [
  ["↑ ↓  j k", "move, or scroll by a line"],
  ["space  b", "scroll by a page; page up and page down do it too; home and end go all the way"],
  ["enter", "open: a run or a session from the list, the gate from a run"],
  ["q  escape", "go back; leaves the program from the list"],
  ["ctrl-c", "leave at once; runs go on"],
  null,
  ["n", "in the list: a new run in this repository; type its goal, enter starts it"],
  ["/", "in the list: find runs by a text; escape shows all again"],
  ["A  u  X", "in the list: abort the run, undo its work, end all stopped runs; each asks y or n"],
  ["g", "the gate that a run waits at"],
  ["c", "continue a run that no process works on"],
  ["d  l  p", "the change, the complete log, the report"],
  null,
  ["a  m", "at a session of the gateway: give the values that it waits for, write its agent a message"],
  null,
  ["a", "approve or apply: offered once the change and the doubts were on the screen; y answers its question"],
  ["b  p", "at a result: commit it on a new branch; the same, pushed, as a draft pull request"],
  ["d  e", "at a result: the whole diff; everything that an answer covers, with hashes and logs"],
  ["y  p  c", "at the start: start the work; see the plan; see the crew and change it"],
  ["r", "send back: your editor opens with the change; a text below a line is a comment at that line"],
  ["x  n", "reject or cancel, if the gate allows it; the run ends, its work is kept"],
  ["A", "abort, if the gate allows it; the run ends at once, its work is kept"],
  ["t  s  e", "take as it is, send again, extend the budget, if the gate allows it"],
  ["l", "later: leaves the gate as it is"],
  ["o", "open the run in the browser"],
];

const helpBody: readonly Line[] = [
  line("Agents propose, you decide. Each key does what a command does; the command is shown above the keys."),
  [],
  ...rows.map((row) => (row ? line(piece(row[0].padEnd(12), "bold"), row[1]) : [])),
];

export const helpLines = (columns: number): readonly Line[] =>
  helpBody.flatMap((one) => wrapLine(one, columns, " ".repeat(12)));
