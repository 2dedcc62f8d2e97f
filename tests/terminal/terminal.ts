// The real program in a real pseudo-terminal, seen through a real terminal emulator.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import headless from "@xterm/headless";
import { expect, onTestFinished } from "vitest";

const host = join(import.meta.dirname, "pty_host.py");
/** Nothing here takes that long; a loaded machine may. */
const patience = 180_000;

export interface Ended {
  /** Negative: the signal that ended it. */
  readonly code: number;
  /** The modes that the terminal was left in: typed keys are shown, and read by the line. */
  readonly echo: boolean;
  readonly lines: boolean;
}

export interface TestTerminal {
  keys(typed: string): void;
  resize(columns: number, rows: number): Promise<void>;
  signal(name: string): void;
  /** The rows of the screen, without blanks at their ends. */
  rows(): string[];
  screen(): string;
  /** Waits until the screen shows this. */
  shows(wanted: string | RegExp): Promise<string>;
  /** All bytes so far. */
  written(): string;
  alternate(): boolean;
  cursorHidden(): boolean;
  /** The style of the cell where this text begins. */
  cellAt(wanted: string): {
    readonly foreground: number;
    readonly background: number;
    readonly underlined: boolean;
  };
  readonly ended: Promise<Ended>;
}

export interface Opening {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly columns?: number;
  readonly rows?: number;
}

export function openTerminal({ argv, cwd, env, columns = 100, rows = 30 }: Opening): TestTerminal {
  const screen = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  const child = spawn("python3", [host, String(columns), String(rows), ...argv], {
    cwd,
    env: { TERM: "xterm-256color", ...env },
    stdio: ["pipe", "pipe", "inherit", "pipe"],
  });
  let bytes = "";
  let pending: Promise<void> = Promise.resolve();
  child.stdout?.setEncoding("utf8");
  child.stdout?.on("data", (chunk: string) => {
    bytes += chunk;
    pending = pending.then(() => new Promise((resolve) => screen.write(chunk, resolve)));
  });
  onTestFinished(() => {
    child.stdin?.end();
    child.kill("SIGKILL");
    screen.dispose();
  });
  const order = (given: object) => child.stdin?.write(`${JSON.stringify(given)}\n`);
  const told = text(child.stdio[3] as Readable);
  const seen = () =>
    Array.from({ length: screen.rows }, (_, at) => {
      const { active } = screen.buffer;
      return active.getLine(active.viewportY + at)?.translateToString(true) ?? "";
    });
  const shown = () => seen().join("\n").trimEnd();
  return {
    keys: (typed) => order({ keys: typed }),
    async resize(wide, tall) {
      await pending;
      screen.resize(wide, tall);
      order({ size: [wide, tall] });
    },
    signal: (name) => order({ signal: name }),
    rows: seen,
    screen: shown,
    async shows(wanted) {
      const isThere = () => (typeof wanted === "string" ? shown().includes(wanted) : wanted.test(shown()));
      for (const until = Date.now() + patience; !isThere() && Date.now() < until;) {
        await sleep(20);
        await pending;
      }
      expect(isThere(), `the screen never showed ${String(wanted)}:\n${shown()}`).toBe(true);
      return shown();
    },
    written: () => bytes,
    alternate: () => screen.buffer.active.type === "alternate",
    cursorHidden: () =>
      (screen as unknown as { _core: { coreService: { isCursorHidden: boolean } } })._core.coreService.isCursorHidden,
    cellAt(wanted) {
      const { active } = screen.buffer;
      for (let row = 0; row < screen.rows; row += 1) {
        const line = active.getLine(active.viewportY + row);
        const at = line?.translateToString().indexOf(wanted) ?? -1;
        const cell = at < 0 ? undefined : line?.getCell(at);
        if (cell)
          return {
            foreground: cell.getFgColor(),
            background: cell.getBgColor(),
            underlined: cell.isUnderline() !== 0,
          };
      }
      throw new Error(`${wanted} is not on the screen`);
    },
    ended: (async () => {
      const end = await Promise.race([told, sleep(4 * patience, "", { ref: false })]);
      await pending;
      // Nothing is told when the test is over before the program is.
      return end === "" ? { code: -9, echo: false, lines: false } : (JSON.parse(end) as Ended);
    })(),
  };
}
