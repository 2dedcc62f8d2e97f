// A run on the screen: live, with its gate, change, log and report one key away.
import type { Activity, RunEvent, StoredEvent, Suggestion } from "../../../contract/index.ts";
import type { FullView } from "../../../operations/index.ts";
import { attended, type LaidOpen } from "../../../operations/runs/index.ts";
import { type Line, line, piece } from "../text/line.ts";
import { lowest, type Keys, pageLines, scrolled } from "../views/page.ts";
import { type SheetChange, changeLines } from "../views/diff.ts";
import { eventLines, runBody, type RunShown } from "../views/run.ts";
import { type Desk, equals, type ScreenView } from "./desk.ts";
import { createGateView, textLines } from "./gate-view.ts";
import { createTextView } from "./text-view.ts";

interface Looked {
  readonly view: FullView;
  readonly idle: boolean;
  readonly working: boolean;
  readonly output: readonly string[];
  readonly activities: readonly Activity[];
}

/** The state is read anew at least this often: a process that died writes no event. */
const lookMs = 1_000;

export function createRunView(desk: Desk, runId: string): ScreenView {
  const { spell } = desk;
  let shown: RunShown | undefined;
  let lookedAt = 0;
  let top = 0;

  async function refresh(): Promise<boolean> {
    const known = shown?.events ?? [];
    const from = (known.at(-1)?.seq ?? 0) + 1;
    const read = await desk.act<{ events: readonly StoredEvent<RunEvent>[] }>("logs", { runId, from });
    const fresh = read?.events ?? [];
    if (shown && fresh.length === 0 && Date.now() - lookedAt < lookMs) return shown.view.working;
    const looked = await desk.act<Looked>("show", { runId });
    lookedAt = Date.now();
    if (!looked) return true;
    const { output, activities } = looked;
    shown = { view: attended(looked.view, looked), events: [...known, ...fresh], output, activities };
    return true;
  }

  async function openGate(): Promise<void> {
    const open = await desk.act<LaidOpen>("gate", { runId });
    const [gate] = open?.gates ?? [];
    if (!open) return;
    if (!gate) return desk.say(line("This run waits for no decision."));
    const extension = shown?.view.next.map(({ command }) => command).find(isExtension);
    const done = (word: string) => {
      desk.back();
      desk.say(line(piece(`✔ ${gate.title}: ${word}`, "good")));
    };
    desk.open(
      createGateView({
        desk,
        open,
        gate,
        extension,
        recordOnly: false,
        decided: ({ answer }) => done(answer ?? "ended"),
        later: () => desk.back(),
      }),
    );
  }

  const openText = (title: string, command: string, lines: (columns: number) => readonly Line[]) =>
    desk.open(createTextView({ desk, title, command: `thehood ${command} ${runId}`, lines }));

  async function openDiff(): Promise<void> {
    const found = await desk.act<SheetChange>("changes", { runId });
    if (found) openText("The change", "diff", (columns) => changeLines(found, columns));
  }

  async function openReport(): Promise<void> {
    const found = await desk.act<{ markdown: string }>("report", { runId });
    if (found) openText("The report", "report", (columns) => textLines(found.markdown, columns));
  }

  const openLog = () =>
    openText("Everything that happened", "logs", (columns) =>
      (shown?.events ?? []).flatMap((stored) => eventLines(stored, columns, true)),
    );

  async function goOn(): Promise<void> {
    desk.say(equals(spell({ suggest: "continue", runId })));
    await desk.act("continue", { runId, waitSeconds: 0 });
  }

  const deeds: Readonly<Record<string, () => unknown>> = {
    enter: () => openGate(),
    g: () => openGate(),
    d: openDiff,
    p: openReport,
    l: openLog,
    c: () => (shown && !shown.view.working && !shown.view.gate ? goOn() : undefined),
    o: () => desk.browse(runId),
    q: () => desk.back(),
    escape: () => desk.back(),
    left: () => desk.back(),
  };

  const keys = (): Keys => [
    ...(shown?.view.gate ? ([["enter", "decide"]] as const) : []),
    ...(isStopped(shown) ? ([["c", "continue"]] as const) : []),
    ["d", "change"],
    ["l", "log"],
    ...(shown?.view.state === "completed" ? ([["p", "report"]] as const) : []),
    ["↑↓", "scroll"],
    ["q", "back"],
    ["?", "help"],
  ];

  return {
    refresh,
    frame(size, now) {
      const body = shown ? runBody(shown, now, size.columns, spell) : [line(piece("…", "dim"))];
      top = Math.min(top, lowest(body.length, size));
      const said = desk.said();
      return pageLines(
        {
          title: line(piece("Run", "bold"), piece(`  ${runId}`, "dim")),
          body,
          top,
          note: said.length > 0 ? said : equals(`thehood status ${runId}`),
          keys: keys(),
        },
        size,
      );
    },
    key(key, size) {
      const lines = shown ? runBody(shown, Date.now(), size.columns, spell).length : 0;
      const moved = scrolled(top, key, lines, size);
      if (moved !== undefined) top = moved;
      else void Promise.resolve(deeds[key]?.()).finally(() => desk.redraw());
    },
  };
}

const isExtension = (command: Suggestion | null): command is Extract<Suggestion, { suggest: "answer" }> =>
  command?.suggest === "answer" && command.answer === "extend";

const isStopped = (shown: RunShown | undefined): boolean =>
  shown !== undefined && !shown.view.working && shown.view.gate === null && shown.view.stopReason === null;
