// The live view of a run that advances in this process: a line for each event, and below them a few rows with the current
// work, its elapsed time and the next stages.
import { plainLine, type TerminalDevice } from "../../../core/contract/index.ts";
import type { FullView, RepositoryRuns, Watcher } from "../../../operations/index.ts";
import { createBlock } from "../screen/block.ts";
import { keysOf } from "../screen/keys.ts";
import { type Line, line, piece, wrapLine } from "../text/line.ts";
import { createPaint } from "../text/paint.ts";
import { elapsed, lasting, laterStages, stageBar, thousands } from "../views/text.ts";
import type { StoryLines } from "./story.ts";

export interface LiveOptions {
  readonly device: TerminalDevice;
  readonly color: boolean;
  readonly runs: RepositoryRuns;
  readonly runId: string;
  /** Prints the events; without it only the rows change. */
  readonly story: StoryLines | undefined;
  interrupt(): void;
}

export interface LiveView extends Disposable {
  readonly watcher: Watcher;
}

interface LiveState {
  readonly view: FullView | undefined;
  /** The last output line of the check or the agent. */
  readonly output: string;
}

/** The rows that change. Seconds are a separate piece, so only they are redrawn. */
function liveRows({ view, output }: LiveState, now: number): readonly Line[] {
  if (!view) return [];
  const { monitor, counts } = view;
  const limit = monitor.limitMs === undefined ? "" : ` of at most ${lasting(monitor.limitMs)}`;
  const later = laterStages(view).join(", ");
  return [
    stageBar(view),
    line(
      piece("● ", "info"),
      plainLine(monitor.doing, 200),
      piece("  ", "dim"),
      piece(elapsed(now - monitor.since), "bold"),
      piece(
        `${limit}  ${counts.cost === "$0" ? "" : `${counts.cost}, `}${thousands(counts.tokens)} tokens, ${counts.responses} of ${counts.maxIterations} model calls`,
        "dim",
      ),
    ),
    line(piece(output === "" ? "" : `  ${output}`, "dim")),
    line(piece(`  ${later === "" ? "" : `then ${later}  `}ctrl-c stops; nothing is lost`, "dim")),
  ];
}

export function openLive({ device, color, runs, runId, story, interrupt }: LiveOptions): LiveView {
  const block = createBlock((bytes) => device.write(bytes), createPaint(color));
  let state: LiveState = { view: undefined, output: "" };
  let over = false;
  let soon: NodeJS.Timeout | undefined;
  const draw = () => {
    if (!over) block.draw(liveRows(state, Date.now()), device.size());
  };
  const refresh = async () => {
    const view = await runs.full(runId);
    state = { ...state, view };
    draw();
  };
  const taken = device.take(
    {
      text(typed) {
        for (const key of keysOf(typed)) {
          if (key === "ctrl-c") interrupt();
          else if (key === "ctrl-z") device.stop();
        }
      },
      changed() {
        block.resized(device.size());
        draw();
      },
    },
    () => "\u001b[?25h",
  );
  device.write("\u001b[?25l");
  // A failure to read the run is reported by the code that advances it.
  const refreshQuietly = () => void refresh().catch(() => undefined);
  refreshQuietly();
  const timer = setInterval(draw, 1_000);
  return {
    watcher: {
      event(stored) {
        const lines = story?.lines(stored, device.size().columns) ?? [];
        if (lines.length > 0) block.print(lines, device.size());
        state = { ...state, output: "" };
        refreshQuietly();
      },
      progress(text) {
        if (text.trim() === "") return;
        state = { ...state, output: plainLine(text, 200) };
        // A check may write thousands of lines a second: 10 of them are drawn.
        soon ??= setTimeout(() => {
          soon = undefined;
          draw();
        }, 100);
      },
      note(text) {
        block.print(wrapLine(line(text), device.size().columns - 1, "  "), device.size());
      },
    },
    [Symbol.dispose]() {
      over = true;
      clearInterval(timer);
      clearTimeout(soon);
      block.clear();
      taken[Symbol.dispose]();
    },
  };
}
