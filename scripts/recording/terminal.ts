// A program in a pseudo-terminal, with its screen as rows of styled text.
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import headless from "@xterm/headless";

const host = resolve(import.meta.dirname, "../../tests/terminal/pty_host.py");

export interface Span {
  readonly column: number;
  readonly text: string;
  /** A colour of the palette, by its name in the style sheet; empty for the usual one. */
  readonly style: string;
}
export type Row = readonly Span[];

export interface Screen {
  type(keys: string): void;
  rows(): readonly Row[];
  text(): string;
  shows(wanted: RegExp): Promise<void>;
  end(): void;
}

const patienceMs = 300_000;

interface Cell {
  isBold(): number;
  isDim(): number;
  isInverse(): number;
  isFgPalette(): boolean;
  isBgPalette(): boolean;
  getBgColor(): number;
  getFgColor(): number;
  getChars(): string;
}

function styleOf(cell: Cell): string {
  const colour = cell.isFgPalette() ? `c${cell.getFgColor() % 16}` : "";
  const ground = cell.isBgPalette() ? `i k${cell.getBgColor() % 8}` : "";
  return [ground || colour, cell.isBold() ? "b" : "", cell.isDim() ? "d" : "", cell.isInverse() ? "i" : ""]
    .filter(Boolean)
    .join(" ");
}

function rowOf(cells: readonly Cell[]): Row {
  const spans: { column: number; text: string; style: string }[] = [];
  for (const [column, cell] of cells.entries()) {
    const [text, style] = [cell.getChars() || " ", styleOf(cell)];
    const last = spans.at(-1);
    if (last && last.style === style) last.text += text;
    else spans.push({ column, text, style });
  }
  return spans
    .map((span) => (span.style.includes("i") ? span : { ...span, text: span.text.trimEnd() }))
    .filter(({ text }) => text !== "");
}

export function openScreen(
  argv: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  [columns, rows]: [number, number],
): Screen {
  const screen = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  const child = spawn("python3", [host, String(columns), String(rows), ...argv], {
    cwd,
    env: { ...env, TERM: "xterm-256color" },
    stdio: ["pipe", "pipe", "inherit", "pipe"],
  });
  child.stdout?.setEncoding("utf8");
  child.stdout?.on("data", (chunk: string) => screen.write(chunk));
  const lines = () => {
    const { active } = screen.buffer;
    return Array.from({ length: rows }, (_, at) => active.getLine(active.viewportY + at));
  };
  const text = () =>
    lines()
      .map((line) => line?.translateToString(true) ?? "")
      .join("\n");
  return {
    type: (keys) => void child.stdin?.write(`${JSON.stringify({ keys })}\n`),
    rows: () =>
      lines().map((line) =>
        rowOf(
          Array.from({ length: columns }, (_, at) => line?.getCell(at) as Cell | undefined).filter(
            (cell) => cell !== undefined,
          ),
        ),
      ),
    text,
    async shows(wanted) {
      for (const until = Date.now() + patienceMs; !wanted.test(text()); await sleep(50))
        if (Date.now() > until) throw new Error(`The screen never showed ${String(wanted)}:\n${text()}`);
    },
    end() {
      child.stdin?.end();
      child.kill("SIGKILL");
      screen.dispose();
    },
  };
}
