// Plays a run of the demo's sample in a terminal, as a person would: type the goal, start, read the result, apply it.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { pictureOf, type Frame } from "./picture.ts";
import { openScreen, type Row } from "./terminal.ts";

const root = resolve(import.meta.dirname, "../..");
const file = resolve(process.argv[2] ?? join(root, "docs/images/recording.svg"));
const mostBytes = 500_000;
const size: [number, number] = [80, 24];

const home = mkdtempSync(join(tmpdir(), "thehood-recording-"));
const repo = join(home, "durations");
cpSync(join(root, "demo/sample"), repo, { recursive: true });
const git = (...args: string[]): void => {
  execFileSync("git", ["-c", "user.name=You", "-c", "user.email=you@example.org", ...args], { cwd: repo });
};
git("init", "-q", "-b", "main");
git("add", "-A");
git("commit", "-q", "-m", "Start");
mkdirSync(join(home, "bin"));
const program = join(home, "bin/thehood");
const script = join(root, "demo/script.json");
// The stub plays the agents; everything else is the real program.
writeFileSync(
  program,
  `#!/bin/sh\nexec "${process.execPath}" "${join(root, "bin/thehood.js")}" "$@" --team stub --stub-script "${script}"\n`,
);
chmodSync(program, 0o755);
const settings = join(home, "settings.sh");
writeFileSync(settings, "PS1='$ '\n");

interface Taken {
  readonly rows: readonly Row[];
  readonly at: number;
}

const screen = openScreen(
  ["bash", "--noprofile", "--rcfile", settings],
  repo,
  {
    PATH: `${join(home, "bin")}:${process.env["PATH"] ?? ""}`,
    HOME: home,
    THEHOOD_HOME: join(home, "config"),
    BASH_SILENCE_DEPRECATION_WARNING: "1",
  },
  size,
);

let taken: Taken[] = [];
const take = (): void => {
  const rows = screen.rows();
  if (JSON.stringify(rows) !== JSON.stringify(taken.at(-1)?.rows)) taken.push({ rows, at: Date.now() });
};
const camera = setInterval(take, 40);
const frames: Frame[] = [];

/** Ends a part of the film: at most so many frames, in at most so much time; the last one stays for `hold`. */
function cut(most: number, ms: number, hold: number): void {
  take();
  const every = Math.max(1, Math.ceil(taken.length / most));
  const kept = taken.filter((_, index) => index % every === 0 || index === taken.length - 1);
  const length = (kept.at(-1)?.at ?? 0) - (kept[0]?.at ?? 0);
  const slow = length > ms ? ms / length : 1;
  for (const [index, { rows, at }] of kept.entries()) {
    const next = kept[index + 1]?.at;
    frames.push({ rows, ms: next === undefined ? hold : Math.max(60, (next - at) * slow) });
  }
  taken = [];
}

try {
  await screen.shows(/\$/);
  for (const key of 'thehood run "read hours too, such as 1h30m"') {
    screen.type(key);
    await sleep(55);
  }
  cut(60, 3_000, 500);
  screen.type("\r");
  await screen.shows(/\by start\b/);
  await sleep(400);
  cut(12, 2_500, 3_500);
  screen.type("y");
  await screen.shows(/\ba apply\b/);
  await sleep(600);
  cut(24, 7_000, 6_000);
  const still = frames.length - 1;
  screen.type("a");
  await screen.shows(/y\/n|\by\b.*\bn\b/);
  await sleep(300);
  cut(3, 500, 2_000);
  screen.type("y");
  await screen.shows(/Done in/);
  await sleep(600);
  cut(10, 2_000, 6_000);
  const picture = pictureOf(frames, size, still, "A run: goal, start, result with its evidence, applied with two keys");
  if (picture.length > mostBytes) throw new Error(`The picture has ${picture.length} bytes; ${mostBytes} are allowed`);
  writeFileSync(file, picture);
  process.stdout.write(`${file}: ${picture.length} bytes, ${frames.length} frames\n`);
} finally {
  clearInterval(camera);
  screen.end();
  // A program of the run may still write its last line.
  rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
}
process.exit(0);
