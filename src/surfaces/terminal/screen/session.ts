// The terminal while a view uses it: keys in, frames out. Nothing is drawn when nothing changes, and the terminal is restored
// when the view ends in any way.
import type { TerminalDevice, TerminalSize } from "../../../core/contract/index.ts";
import type { Line } from "../text/line.ts";
import type { Paint } from "../text/paint.ts";
import { keysOf } from "./keys.ts";
import { createScreen } from "./screen.ts";

export interface Shown {
  frame(size: TerminalSize): readonly Line[];
  key(key: string, size: TerminalSize): void;
}

export interface ScreenSession extends Disposable {
  /** Draws soon; calls that come together are one frame. */
  redraw(): void;
  /** Gives the terminal to the user's editor. */
  edit(text: string): Promise<string | null>;
}

/** Enters the alternate screen without a cursor, and leaves it. */
const enter = "\u001b[?1049h\u001b[?25l";
const leave = "\u001b[?25h\u001b[?1049l";
/** Frames a second, at most. */
const frameMs = 33;

export function openSession(device: TerminalDevice, paint: Paint, shown: Shown): ScreenSession {
  const screen = createScreen((bytes) => device.write(bytes), paint);
  let timer: NodeJS.Timeout | undefined;
  let drawnAt = 0;
  /** False until the first key: the terminal may have echoed an earlier key into the frame. */
  let redrawnAfterKey = false;
  /** The editor, or whatever follows the session, has the terminal: nothing is drawn over it. */
  let away = false;
  const draw = () => {
    timer = undefined;
    if (away) return;
    drawnAt = Date.now();
    screen.draw(shown.frame(device.size()), device.size());
  };
  const redraw = () => {
    timer ??= setTimeout(draw, Math.max(0, frameMs - (Date.now() - drawnAt)));
  };
  const again = () => {
    device.write(enter);
    screen.forget();
    redraw();
  };
  const take = () =>
    device.take(
      {
        text(typed) {
          if (!redrawnAfterKey) screen.forget();
          redrawnAfterKey = true;
          for (const key of keysOf(typed)) {
            if (key === "ctrl-z") pause();
            else if (key === "ctrl-l") screen.forget();
            else shown.key(key, device.size());
          }
          redraw();
        },
        changed: again,
      },
      () => leave,
    );
  const pause = () => {
    device.write(leave);
    device.stop();
  };
  device.write(enter);
  // The first frame is drawn before the keys are read.
  draw();
  let taken: Disposable | undefined = take();
  return {
    redraw,
    async edit(text) {
      away = true;
      taken?.[Symbol.dispose]();
      try {
        return await device.edit(text);
      } finally {
        away = false;
        taken = take();
        again();
      }
    },
    [Symbol.dispose]() {
      away = true;
      clearTimeout(timer);
      timer = undefined;
      taken?.[Symbol.dispose]();
      taken = undefined;
    },
  };
}
