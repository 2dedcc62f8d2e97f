// The deeds of a run on the screen: each key opens a view of the run, or moves it on.
import { plainText, type Suggestion } from "../../../core/contract/index.ts";
import type { GateDetails } from "../../../operations/run-data/index.ts";
import { type Line, line, piece, wrapText } from "../text/line.ts";
import { type SheetChange, changeLines } from "../views/diff.ts";
import { eventLines, type RunShown } from "../views/run.ts";
import { type Desk, equals } from "./desk.ts";
import { createGateView } from "./gate-view.ts";
import { createTextView } from "./text-view.ts";

const isExtension = (command: Suggestion | null): command is Extract<Suggestion, { suggest: "answer" }> =>
  command?.suggest === "answer" && command.answer === "extend";

const textLines = (text: string, columns: number): readonly Line[] =>
  wrapText(plainText(text), columns, "plain", "  ");

/** The deed of each key. The run is read when a key is pressed, because it changes while it is shown. */
export function runActions(
  desk: Desk,
  runId: string,
  shown: () => RunShown | undefined,
): Readonly<Record<string, () => unknown>> {
  async function openGate(): Promise<void> {
    const open = await desk.act<GateDetails>("gate", { runId });
    const [gate] = open?.gates ?? [];
    if (!open) return;
    if (!gate) return desk.say(line("This run waits for no decision."));
    const extension = shown()
      ?.view.next.map(({ command }) => command)
      .find(isExtension);
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
    desk.open(createTextView({ desk, title, command, lines }));

  async function openDiff(): Promise<void> {
    const found = await desk.act<SheetChange>("changes", { runId });
    if (found) openText("The change", `thehood diff ${runId}`, (columns) => changeLines(found, columns));
  }

  async function openReport(): Promise<void> {
    const found = await desk.act<{ markdown: string }>("report", { runId });
    if (found)
      openText("The report", `thehood report ${runId}`, (columns) => textLines(found.markdown, columns));
  }

  const openLog = () =>
    openText("Everything that happened", desk.spell({ suggest: "logs", runId }), (columns) =>
      (shown()?.events ?? []).flatMap((stored) => eventLines(stored, columns, true)),
    );

  async function goOn(): Promise<void> {
    desk.say(equals(desk.spell({ suggest: "continue", runId })));
    await desk.act("continue", { runId, waitSeconds: 0 });
  }

  return {
    enter: () => openGate(),
    g: () => openGate(),
    d: openDiff,
    p: openReport,
    l: openLog,
    c() {
      const view = shown()?.view;
      return view && !view.working && !view.gate ? goOn() : undefined;
    },
    o: () => desk.browse(runId),
    q: () => desk.back(),
    escape: () => desk.back(),
    left: () => desk.back(),
  };
}
