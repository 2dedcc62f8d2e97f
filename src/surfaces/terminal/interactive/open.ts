// Opens a stack of views on the terminal, and closes it when the person leaves or the program is told to stop.
import { FailureError, type Spell, type TerminalDevice } from "../../../core/contract/index.ts";
import type { Context } from "../../../operations/index.ts";
import { openSession } from "../screen/session.ts";
import type { Line } from "../text/line.ts";
import { createPaint } from "../text/paint.ts";
import { helpBody } from "../views/help.ts";
import { type Desk, equals, performNamed, refused, type ScreenView } from "./desk.ts";
import { createTextView } from "./text-view.ts";

export interface Opening {
  readonly device: TerminalDevice;
  readonly color: boolean;
  readonly context: Context;
  readonly spell: Spell;
}

/** So often a view looks for something new. */
const lookMs = 500;

/** Resolves when the last view was left. */
export async function openViews(
  { device, color, context, spell }: Opening,
  first: (desk: Desk) => ScreenView,
): Promise<void> {
  const stack: ScreenView[] = [];
  let told: Line = [];
  let leave = (): void => undefined;
  const left = new Promise<void>((resolve) => (leave = resolve));
  async function attempt<R>(deed: () => Promise<R>): Promise<R | undefined> {
    try {
      return await deed();
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      told = refused(error, spell);
      return undefined;
    }
  }
  const deskIn = (context: Context): Desk => ({
    context,
    spell,
    act: <R>(operation: string, input: object) =>
      attempt(async () => (await performNamed(operation, input, context)) as R),
    attempt,
    open(view) {
      stack.push(view);
      void look(view).catch(failed.reject);
    },
    back() {
      stack.pop();
      if (stack.length === 0) leave();
    },
    quit: () => leave(),
    say: (line) => void (told = line),
    said: () => told,
    edit: (text) => session.edit(text),
    redraw: () => session.redraw(),
    browse(runId) {
      const words = ["web", ...(runId === undefined ? [] : [runId]), "--repo", context.folder];
      told = equals(["thehood", ...words].join(" "));
      device.startBeside(words).catch(failed.reject);
    },
    at: (repo) => deskIn(Object.create(context, { folder: { value: repo } }) as Context),
  });
  const desk = deskIn(context);
  const failed = Promise.withResolvers<never>();
  stack.push(first(desk));
  const help = () => createTextView({ desk, title: "Keys", command: "thehood help", lines: () => helpBody });
  using session = openSession(device, createPaint(color), {
    frame: (size) => stack.at(-1)?.frame(size, Date.now()) ?? [],
    key(key, size) {
      told = [];
      if (key === "ctrl-c") leave();
      else if (key === "?") desk.open(help());
      else stack.at(-1)?.key(key, size);
    },
  });
  let looking = false;
  async function look(view: ScreenView | undefined): Promise<void> {
    if (looking || !view?.refresh) return;
    looking = true;
    try {
      if (await view.refresh()) session.redraw();
    } finally {
      looking = false;
    }
  }
  const timer = setInterval(() => void look(stack.at(-1)).catch(failed.reject), lookMs);
  context.signal.addEventListener("abort", leave, { once: true });
  if (context.signal.aborted) leave();
  try {
    await Promise.race([left, failed.promise]);
  } finally {
    clearInterval(timer);
    context.signal.removeEventListener("abort", leave);
  }
}
