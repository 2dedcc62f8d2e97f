// Live progress of a run on stderr: one line for each thing that happened, and a moving line for what is being waited for.
import { plainLine, type RunEvent, type StoredEvent } from "../../../core/contract/index.ts";
import type { CompactStatus, Watcher } from "../../../operations/index.ts";
import { createStyle, type ProgramCall } from "../../argv/index.ts";
import { eventLine } from "./event-line.ts";
import { movingLine } from "./moving-line.ts";

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
