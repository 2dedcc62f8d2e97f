// The terminal while a view has it: keys in, frames out. Nothing is drawn when nothing moves, and the terminal is given back
// whole, however the view ends.
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
  /** Lends the terminal to the person's editor. */
  edit(text: string): Promise<string | null>;
}

/** The screen of its own, without a cursor, and the way back. */
const enter = "\u001b[?1049h\u001b[?25l";
const leave = "\u001b[?25h\u001b[?1049l";
/** Frames a second, at most. */
const frameMs = 33;

export function openSession(device: TerminalDevice, paint: Paint, shown: Shown): ScreenSession {
  const screen = createScreen((bytes) => device.write(bytes), paint);
  let timer: NodeJS.Timeout | undefined;
  let drawnAt = 0;
  /** A key that came before the keys were made ready was shown by the terminal itself, somewhere in the frame. */
  let unmarred = false;
  const draw = () => {
    timer = undefined;
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
          if (!unmarred) screen.forget();
          unmarred = true;
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
  // The person sees it before the keys are made ready.
  draw();
  let taken: Disposable | undefined = take();
  return {
    redraw,
    async edit(text) {
      taken?.[Symbol.dispose]();
      try {
        return await device.edit(text);
      } finally {
        taken = take();
        again();
      }
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      timer = undefined;
      taken?.[Symbol.dispose]();
      taken = undefined;
    },
  };
}
