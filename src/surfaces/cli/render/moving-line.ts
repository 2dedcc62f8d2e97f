// One line on stderr that says what is being waited for and how long; only where a person looks.
import type { Io, Style } from "../../argv/index.ts";
import { elapsed } from "../../terminal/print/index.ts";

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
