// The screen of one run: its state, the current work, the next step and the events.
import { type Activity, plainLine, type RunEvent, type StoredEvent, type Spell } from "../../../core/contract/index.ts";
import type { FullView } from "../../../operations/index.ts";
import { reasonText, stateText } from "../../../operations/run-data/index.ts";
import { describeActivity, describeEvent } from "../../../operations/text/index.ts";
import { type Line, line, piece, wrapLine } from "../text/line.ts";
import { clockTime, elapsed, lasting, markPiece, stageBar, statePiece, thousands } from "./text.ts";

export interface RunShown {
  readonly view: FullView & { readonly working: boolean };
  readonly events: readonly StoredEvent<RunEvent>[];
  /** The last output lines of the current check or agent. */
  readonly output: readonly string[];
  readonly activities?: readonly Activity[];
}

export function eventLines(stored: StoredEvent<RunEvent>, columns: number, all = false): readonly Line[] {
  const { mark, text, quiet } = describeEvent(stored.event);
  if (quiet && !all) return [];
  const head = [piece(`${clockTime(stored.at)} `, "dim"), markPiece(mark)];
  return wrapLine(line(...head, plainLine(text, 600)), columns, " ".repeat(11));
}

/** A label with its text beside it on as many lines as needed. */
function labelled(label: string, text: Line, columns: number): readonly Line[] {
  const wide = 8;
  return wrapLine(text, Math.max(20, columns - wide)).map((one, at) =>
    line(piece(at === 0 ? label.padEnd(wide) : " ".repeat(wide), "dim"), ...one),
  );
}

/** The current work with its elapsed time. */
function nowText({ view }: RunShown, now: number): string {
  const { monitor } = view;
  const age = now - monitor.since;
  const limit = monitor.limitMs === undefined ? "" : ` of at most ${lasting(monitor.limitMs)}`;
  return view.working ? `${monitor.doing}, ${elapsed(age)}${limit}` : monitor.doing;
}

/** The first suggested command that does not only show what is on the screen already. */
function nextCommand({ view }: RunShown, spell: Spell): string | undefined {
  const found = view.next.find(({ command }) => command !== null && !["status", "watch"].includes(command.suggest));
  return found?.command ? spell(found.command) : undefined;
}

const isOver = (state: string): boolean => ["completed", "failed", "aborted"].includes(state);

function runHead(shown: RunShown, now: number, columns: number, spell: Spell): readonly Line[] {
  const { view } = shown;
  const { counts } = view;
  const gate = view.gate ? wrapLine(line(piece(`◆ Needs you: ${view.gate.title}`, "ask")), columns, "  ") : [];
  const command = nextCommand(shown, spell);
  const comes = view.working ? undefined : command;
  const [coming] = view.next;
  return [
    ...wrapLine(line(piece(plainLine(view.goal, 1_000), "bold")), columns),
    ...wrapLine(
      line(
        statePiece(stateText(view.state, view.stopReason)),
        reasonText(view.stopReason),
        piece(
          `  ${view.mode}${view.failureClass ? ` · class ${view.failureClass}` : ""} · ${counts.responses} of ${counts.maxIterations} model calls · ${thousands(counts.tokens)} tokens · ${lasting(now - view.updatedAt)} since the last event`,
          "dim",
        ),
      ),
      columns,
    ),
    ...wrapLine(stageBar(view), columns),
    [],
    ...gate,
    ...(view.gate ? [] : labelled(isOver(view.state) ? "end" : "now", line(nowText(shown, now)), columns)),
    ...(view.working ? (shown.activities ?? []) : []).flatMap((one) =>
      labelled("", line(piece(plainLine(describeActivity(one, now), 400), "dim")), columns),
    ),
    ...(view.working && coming ? labelled("next", line(coming.reason), columns) : []),
    ...(view.said ? labelled("said", line(piece(`${view.said.role}: `, "dim"), view.said.summary), columns) : []),
    ...(comes === undefined ? [] : labelled("then", line(piece(comes, "info")), columns)),
  ];
}

export function runBody(shown: RunShown, now: number, columns: number, spell: Spell): readonly Line[] {
  const { events, output } = shown;
  const title = (text: string) => [[], line(piece(text, "bold"))];
  return [
    ...runHead(shown, now, columns, spell),
    ...(output.length > 0
      ? [...title("Output"), ...output.slice(-8).map((one) => line(piece(`  ${plainLine(one, 400)}`, "dim")))]
      : []),
    ...title("What happened"),
    ...events.toReversed().flatMap((stored) => eventLines(stored, columns)),
  ];
}
