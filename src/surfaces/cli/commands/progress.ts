// Live progress of a run on stderr: one line for each thing that happened, and a moving line for what is being waited for.
import { plainLine, type RunEvent, type StoredEvent } from "../../../contract/index.ts";
import type { CompactStatus, Watcher } from "../../../operations/index.ts";
import type { Call } from "../spec.ts";
import { createStyle } from "../style.ts";
import { eventLine } from "./event-line.ts";

export interface Progress extends Disposable {
  readonly watcher: Watcher;
}

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

export function showProgress(call: Call): Progress {
  const { io } = call;
  if (call.quiet) return { watcher: {}, [Symbol.dispose]: () => undefined };
  const style = createStyle(io.color && io.live);
  let doing = "";
  let since = Date.now();
  let frame = 0;
  const clear = () => (io.live ? io.err("\r\u001b[2K") : undefined);
  const draw = () => {
    if (doing === "") return;
    const seconds = Math.round((Date.now() - since) / 1_000);
    frame = (frame + 1) % frames.length;
    const text = `${frames[frame]} ${doing}${seconds > 1 ? ` (${seconds} s)` : ""}`;
    io.err(`\r\u001b[2K${style.dim(text.slice(0, Math.max(20, io.columns - 1)))}`);
  };
  const timer = io.live ? setInterval(draw, 120) : undefined;
  timer?.unref();
  const line = (text: string) => {
    clear();
    io.err(`${text}\n`);
  };
  return {
    watcher: {
      event(stored: StoredEvent<RunEvent>, status: () => CompactStatus) {
        const text = eventLine(stored, style, call.verbose);
        if (text !== null) line(text);
        if (!io.live) return;
        const { monitor } = status();
        doing = monitor.phase === "running" || monitor.phase === "provider_wait" ? monitor.doing : "";
        since = Date.now();
      },
      progress(text: string) {
        if (call.verbose && !io.live) line(style.dim(`  ${plainLine(text, 200)}`));
        else doing = plainLine(text, 120);
      },
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      clear();
    },
  };
}
