// The progress of a run in a terminal, and one line that is rewritten while the run works.
import { type Io, type Style, createStyle, type ProgramCall } from "../../argv/index.ts";
import { elapsed } from "../../terminal/print/index.ts";
import { plainLine, type RunEvent, type StoredEvent } from "../../../core/contract/index.ts";
import type { CompactStatus, Watcher } from "../../../operations/index.ts";
import { eventLine } from "./lines.ts";

export interface MovingLine extends Disposable {
  /** Counts from `since`, or from now. */
  say(text: string, since?: number): void;
  /** Other words for the same wait. */
  note(text: string): void;
  /** Out of the way of a line that is to stay. */
  clear(): void;
}

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

export function movingLine(io: Io, style: Style): MovingLine {
  let doing = "";
  let since = Date.now();
  let frame = 0;
  const clear = () => (io.live ? io.err("\r\u001b[2K") : undefined);
  const draw = () => {
    if (doing === "") return;
    const seconds = Math.round((Date.now() - since) / 1_000);
    frame = (frame + 1) % frames.length;
    const text = `${frames[frame]} ${doing}${seconds > 1 ? ` (${elapsed(seconds * 1_000)})` : ""}`;
    io.err(`\r\u001b[2K${style.dim(text.slice(0, Math.max(20, io.columns - 1)))}`);
  };
  const timer = io.live ? setInterval(draw, 120) : undefined;
  timer?.unref();
  return {
    say(text, from = Date.now()) {
      if (text === "") clear();
      doing = text;
      since = from;
    },
    note(text) {
      doing = text;
    },
    clear,
    [Symbol.dispose]() {
      clearInterval(timer);
      clear();
    },
  };
}

export interface Progress extends Disposable {
  readonly watcher: Watcher;
}

export function showProgress(call: ProgramCall, silent = false): Progress {
  const { io } = call;
  if (call.quiet || silent) return { watcher: {}, [Symbol.dispose]: () => undefined };
  const style = createStyle(io.color && io.live);
  const moving = movingLine(io, style);
  const line = (text: string) => {
    moving.clear();
    io.err(`${text}\n`);
  };
  return {
    watcher: {
      event(stored: StoredEvent<RunEvent>, status: () => CompactStatus) {
        const text = eventLine(stored, style, call.verbose);
        if (text !== null) line(text);
        if (!io.live) return;
        const { monitor } = status();
        const works = monitor.phase === "running" || monitor.phase === "provider_wait";
        moving.say(works ? monitor.doing : "", monitor.since);
      },
      note: (text: string) => line(plainLine(text, 500)),
      progress(text: string) {
        if (call.verbose && !io.live) line(style.dim(`  ${plainLine(text, 200)}`));
        else moving.note(plainLine(text, 120));
      },
    },
    [Symbol.dispose]: () => moving[Symbol.dispose](),
  };
}
