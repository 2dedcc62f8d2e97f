// The terminal is the editor's while the editor has it.
import { expect, it, vi } from "vitest";
import type { TerminalDevice } from "../../../core/contract/index.ts";
import { line } from "../text/line.ts";
import { createPaint } from "../text/paint.ts";
import { openSession } from "./session.ts";

it("[B-20] draws nothing over the editor and nothing after its end, and everything anew when the editor is left", async () => {
  vi.useFakeTimers();
  const written: string[] = [];
  const left = Promise.withResolvers<string | null>();
  const device = {
    size: () => ({ columns: 20, rows: 3 }),
    write: (text: string) => void written.push(text),
    take: () => ({ [Symbol.dispose]: () => void written.push("left") }),
    edit: () => left.promise,
  } as unknown as TerminalDevice;
  let frame = "before";
  const session = openSession(device, createPaint(false), { frame: () => [line(frame)], key: () => undefined });
  expect(written.join("")).toContain("before");
  // A frame is due, and a refresh asks for another one while the editor is open.
  frame = "during";
  session.redraw();
  const edited = session.edit("text");
  session.redraw();
  vi.advanceTimersByTime(1_000);
  session.redraw();
  vi.advanceTimersByTime(1_000);
  expect(written.at(-1)).toBe("left");
  frame = "after";
  left.resolve("text");
  expect(await edited).toBe("text");
  vi.advanceTimersByTime(1_000);
  expect(written.join("")).not.toContain("during");
  expect(written.at(-1)).toContain("after");
  // What ends late asks for a frame of a session that is over.
  frame = "over";
  session[Symbol.dispose]();
  session.redraw();
  vi.advanceTimersByTime(1_000);
  expect(written.at(-1)).toBe("left");
  vi.useRealTimers();
});
