// The actions of a run's view: each key opens a view of the run, or continues it.
import { plainText, type Suggestion } from "../../../core/contract/index.ts";
import type { GateDetails } from "../../../operations/run-data/index.ts";
import { type Line, line, piece, wrapText } from "../text/line.ts";
import { type SheetChange, changeLines } from "../views/diff.ts";
import { eventLines, type RunShown } from "../views/run.ts";
import { type ViewDeps, equals } from "./view.ts";
import { firstGate } from "./crew.ts";
import { createGateView } from "./gate-view.ts";
import { createTextView } from "./text-view.ts";

const isExtension = (command: Suggestion | null): command is Extract<Suggestion, { suggest: "answer" }> =>
  command?.suggest === "answer" && command.answer === "extend";

const textLines = (text: string, columns: number): readonly Line[] => wrapText(plainText(text), columns, "plain", "  ");

/** The action of each key. The run is read when a key is pressed, because it changes while it is shown. */
export function runActions(
  deps: ViewDeps,
  runId: string,
  shown: () => RunShown | undefined,
): Readonly<Record<string, () => unknown>> {
  async function openGate(): Promise<void> {
    const open = await deps.act<GateDetails>("gate", { runId });
    if (!open) return;
    const gate = firstGate(open);
    if (!gate) return deps.showNote(line("This run does not wait for a decision."));
    const extension = shown()
      ?.view.next.map(({ command }) => command)
      .find(isExtension);
    const done = (word: string) => {
      deps.back();
      deps.showNote(line(piece(`✔ ${gate.title}: ${word}`, "good")));
    };
    deps.open(
      createGateView({
        deps,
        open,
        gate,
        extension,
        recordOnly: false,
        decided: ({ answer }) => done(answer ?? "ended"),
        later: () => deps.back(),
        reopen() {
          deps.back();
          return openGate();
        },
      }),
    );
  }

  const openText = (title: string, command: string, lines: (columns: number) => readonly Line[]) =>
    deps.open(createTextView({ deps, title, command, lines }));

  async function openDiff(): Promise<void> {
    const found = await deps.act<SheetChange>("changes", { runId });
    if (found) openText("The change", `thehood diff ${runId}`, (columns) => changeLines(found, columns));
  }

  async function openReport(): Promise<void> {
    const found = await deps.act<{ markdown: string }>("report", { runId });
    if (found) openText("The report", `thehood report ${runId}`, (columns) => textLines(found.markdown, columns));
  }

  const openLog = () =>
    openText("Everything that happened", deps.spell({ suggest: "logs", runId }), (columns) =>
      (shown()?.events ?? []).flatMap((stored) => eventLines(stored, columns, true)),
    );

  async function goOn(): Promise<void> {
    deps.showNote(equals(deps.spell({ suggest: "continue", runId })));
    await deps.act("continue", { runId, waitSeconds: 0 });
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
    o: () => deps.browse(runId),
    q: () => deps.back(),
    escape: () => deps.back(),
    left: () => deps.back(),
  };
}
