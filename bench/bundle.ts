// The whole dry run of a request with 3,000 files of about 28 MB, with its secret scan, beside `zip -r` on the same
// files: processor time, peak memory, and the size of the ZIP.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { judged } from "./lib/limit.ts";
import { usageOf } from "./lib/measure.ts";
import { tempFolder } from "./lib/temp-folder.ts";

const project = join(import.meta.dirname, "..");
const base = tempFolder();
const root = join(base, "files");
const wanted = { files: 3000, bytes: 28_000_000 };

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return entry.isFile() && /\.(?:[cm]?[jt]s|json|md|css)$/.test(entry.name) ? [path] : [];
  });
}

/** Files of the packages this project is built with: every third, then larger ones until the bytes fit. */
function fill(): { files: number; bytes: number } {
  const from = join(project, "node_modules");
  const all = sources(from)
    .map((path) => ({ path, size: statSync(path).size }))
    .filter(({ size }) => size > 0 && size < 1_000_000)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const average = wanted.bytes / wanted.files;
  let files = 0;
  let bytes = 0;
  for (const { path, size } of all) {
    if (files >= wanted.files) break;
    // Keeps the running average near the one wanted.
    if (bytes + size > average * (files + 1) * 1.05 && size > average) continue;
    if (bytes + size < average * (files + 1) * 0.97 && size < average) continue;
    const to = join(root, relative(from, path).replaceAll("node_modules", "modules"));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, readFileSync(path));
    files += 1;
    bytes += size;
  }
  return { files, bytes };
}

/** Seconds of processor time of a program and all it started, told by the shell. */
function cpu(argv: readonly string[], env: NodeJS.ProcessEnv = {}): number {
  const script = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1';
  const done = spawnSync("bash", ["-c", script, "bash", ...argv], {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  const [user = 0, system = 0] = done.stderr.trim().split(/\s+/).map(Number);
  return user + system;
}

const best = (measure: () => number): number => Math.min(...Array.from({ length: 3 }, measure));

const made = fill();
execFileSync("git", ["init", "-q", root]);
const archive = join(base, "zip.zip");
const ours = join(base, "ours.zip");
const oracle: [string, string] = [process.execPath, join(project, "bin/oracle.js")];
const home = { ORACLE_HOME_DIR: join(base, "home"), OPENAI_API_KEY: "" };
const dryRun: [string, ...string[]] = [
  ...oracle,
  "-p",
  "look",
  "-f",
  ".",
  "--engine",
  "api",
  "--max-total-size",
  "100000000",
  "--dry-run",
  "json",
];
const zip = best(() => {
  rmSync(archive, { force: true });
  return cpu(["zip", "-q", "-r", archive, ".", "-x", ".git/*"]);
});
const dry = best(() => cpu(dryRun, home));

const used = usageOf({ name: "dry run", argv: dryRun, cwd: root, env: { ...process.env, ...home } });
if (!used) throw new Error("the dry run did not tell its memory");
const peak = used.megabytes;
const pack = best(() => {
  rmSync(ours, { force: true });
  return cpu([...oracle, "bundle", "-f", ".", "--browser-bundle-format", "zip", "-o", ours], home);
});
const ratio = statSync(ours).size / statSync(archive).size;

const row = (name: string, value: string, limit = "", holds = true) =>
  console.log(`${name.padEnd(40)} ${value.padStart(12)}${limit === "" ? "" : judged(limit, holds)}`);
console.log(`${made.files} files, ${(made.bytes / 1e6).toFixed(1)} MB; processor time, best of three`);
row("zip -r", `${zip.toFixed(2)} s`);
row("oracle --dry-run with secret scan", `${dry.toFixed(2)} s`);
row("dry run : zip -r", `${(dry / zip).toFixed(2)} ×`, "3 ×", dry / zip <= 3);
row("peak memory of the dry run", `${peak.toFixed(0)} MB`, "150 MB", peak <= 150);
row("oracle bundle, ZIP written and read back", `${pack.toFixed(2)} s`);
row("written ZIP : zip -r", `${(pack / zip).toFixed(2)} ×`, "2.5 ×", pack / zip <= 2.5);
row("size of the ZIP : zip -r", `${ratio.toFixed(3)} ×`, "1.1 ×", ratio <= 1.1);
