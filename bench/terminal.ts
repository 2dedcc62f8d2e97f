// The cost of the terminal: its first frame beside a bare Node in the same pseudo-terminal, and 400 updates of one row below
// sixty others.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createScreen } from "../src/surfaces/terminal/screen/screen.ts";
import { line, piece } from "../src/surfaces/terminal/text/line.ts";
import { createPaint } from "../src/surfaces/terminal/text/paint.ts";
import { bin, env, makeRepository, thehood } from "./lib/desk.ts";
import { judged } from "./lib/limit.ts";
import { median, type Usage } from "./lib/measure.ts";

/** Processor time of the one Node program that the line starts in a pseudo-terminal, up to its first frame or its end. */
function inTerminal(command: string, cwd: string): number {
  const folder = mkdtempSync(join(tmpdir(), "usage-"));
  const hook = join(import.meta.dirname, "lib", "usage.cjs");
  const used = { USAGE_FILE: join(folder, "used"), NODE_OPTIONS: `--require=${hook}` };
  spawnSync("sh", ["-c", `printf q | script -qec '${command}' /dev/null`], {
    cwd,
    env: { ...env, TERM: "xterm-256color", ...used },
    stdio: "ignore",
  });
  const [name] = readdirSync(folder);
  const told = JSON.parse(readFileSync(join(folder, name ?? ""), "utf8")) as Usage;
  rmSync(folder, { recursive: true });
  return told.marks.find(({ line: mark }) => mark === "frame")?.ownMs ?? told.ownMs;
}

const dir = makeRepository();
for (const goal of ["one", "two", "three"]) thehood(dir, "run", goal, "--approvals", "autopilot", "--no-checks");
const raw = 'process.stdin.setRawMode(true); process.stdin.once("data", () => process.exit(0));';
const bare: number[] = [];
const first: number[] = [];
for (let round = 0; round < 12; round += 1) {
  bare.push(inTerminal(`${process.execPath} -e "${raw.replaceAll('"', '\\"')}"`, dir));
  first.push(inTerminal(`${process.execPath} ${bin} top`, dir));
}
const ratio = median(first) / median(bare);
console.log(`bare node, raw keys     processor ${median(bare).toFixed(0)} ms`);
console.log(
  `thehood top, one frame  processor ${median(first).toFixed(0)} ms  ${ratio.toFixed(2)} ×${judged("1.6 ×", ratio <= 1.6)}`,
);

const updates = 400;
let bytes = 0;
const screen = createScreen((text) => void (bytes += Buffer.byteLength(text)), createPaint(true));
const size = { columns: 120, rows: 61 };
const rows = Array.from({ length: 60 }, (_, at) => line(piece(`row ${at}`, "bold"), " of a list that does not move"));
screen.draw(rows, size);
bytes = 0;
const before = process.cpuUsage();
for (let at = 0; at < updates; at += 1)
  screen.draw([...rows, line("● works  ", piece(`${at} s`, "bold"), "  of at most 30 min")], size);
const { user, system } = process.cpuUsage(before);
const ms = (user + system) / 1_000;
console.log(
  `${updates} updates of one row  ${bytes} bytes${judged("24,000 bytes", bytes <= 24_000)}  processor ${ms.toFixed(0)} ms${judged("400 ms", ms <= 400)}`,
);
