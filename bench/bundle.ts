// The whole dry run of a request with 3,000 files of about 28 MB, with its secret scan, and the ZIP of these and of 20,000
// files, beside `zip -r` on the same files: processor time, peak memory, and the size of the ZIP.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { judged } from "./lib/limit.ts";
import { usageOf } from "./lib/measure.ts";
import { tempFolder } from "./lib/temp-folder.ts";

const project = join(import.meta.dirname, "..");
const base = tempFolder();

interface Amount {
  readonly files: number;
  readonly bytes: number;
}

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return entry.isFile() && /\.(?:[cm]?[jt]s|json|md|css)$/.test(entry.name) ? [path] : [];
  });
}

const from = join(project, "node_modules");
const all = sources(from)
  .map((path) => ({ path, size: statSync(path).size }))
  .filter(({ size }) => size > 0 && size < 1_000_000)
  .sort((a, b) => (a.path < b.path ? -1 : 1));

/** Files of the packages this project is built with, so that the running average stays near the one wanted; again and again. */
function fill(root: string, wanted: Amount): Amount {
  const average = wanted.bytes / wanted.files;
  let files = 0;
  let bytes = 0;
  for (let round = 0; files < wanted.files && round < 10; round += 1)
    for (const { path, size } of all) {
      if (files >= wanted.files) break;
      if (bytes + size > average * (files + 1) * 1.05 && size > average) continue;
      if (bytes + size < average * (files + 1) * 0.97 && size < average) continue;
      const to = join(root, `round-${round}`, relative(from, path).replaceAll("node_modules", "modules"));
      mkdirSync(dirname(to), { recursive: true });
      writeFileSync(to, readFileSync(path));
      files += 1;
      bytes += size;
    }
  execFileSync("git", ["init", "-q", root]);
  return { files, bytes };
}

/** Seconds of processor time of a program and all it started, told by the shell. */
function cpu(root: string, argv: readonly string[], env: NodeJS.ProcessEnv = {}): number {
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

const oracle: [string, string] = [process.execPath, join(project, "bin/oracle.js")];
const home = { ORACLE_HOME_DIR: join(base, "home"), OPENAI_API_KEY: "" };
const room = ["--max-total-size", "200000000"];

const row = (name: string, value: string, limit = "", holds = true) =>
  console.log(`${name.padEnd(40)} ${value.padStart(12)}${limit === "" ? "" : judged(limit, holds)}`);
const heading = ({ files, bytes }: Amount) =>
  console.log(`${files} files, ${(bytes / 1e6).toFixed(1)} MB; processor time, best of three`);

/** Measures `zip -r` and the ZIP of ours, and tells the seconds of `zip -r`. */
function zips(root: string, wanted: Amount): number {
  heading(fill(root, wanted));
  const archive = join(base, "zip.zip");
  const ours = join(base, "ours.zip");
  const zip = best(() => {
    rmSync(archive, { force: true });
    return cpu(root, ["zip", "-q", "-r", archive, ".", "-x", ".git/*"]);
  });
  const pack = best(() => {
    rmSync(ours, { force: true });
    const words = ["bundle", "-f", ".", "--browser-bundle-format", "zip", "-o", ours, ...room];
    return cpu(root, [...oracle, ...words], home);
  });
  const ratio = statSync(ours).size / statSync(archive).size;
  row("zip -r", `${zip.toFixed(2)} s`);
  row("oracle bundle, ZIP written and read back", `${pack.toFixed(2)} s`);
  row("written ZIP : zip -r", `${(pack / zip).toFixed(2)} ×`, "2.5 ×", pack / zip <= 2.5);
  row("size of the ZIP : zip -r", `${ratio.toFixed(3)} ×`, "1.1 ×", ratio <= 1.1);
  return zip;
}

const few = join(base, "files");
const zip = zips(few, { files: 3_000, bytes: 28_000_000 });
const words = ["-p", "look", "-f", ".", "--engine", "api", ...room, "--dry-run", "json"];
const dryRun: [string, ...string[]] = [...oracle, ...words];
const dry = best(() => cpu(few, dryRun, home));
const used = usageOf({ name: "dry run", argv: dryRun, cwd: few, env: { ...process.env, ...home } });
if (!used) throw new Error("the dry run did not tell its memory");
row("oracle --dry-run with secret scan", `${dry.toFixed(2)} s`);
row("dry run : zip -r", `${(dry / zip).toFixed(2)} ×`, "3 ×", dry / zip <= 3);
row("peak memory of the dry run", `${used.megabytes.toFixed(0)} MB`, "150 MB", used.megabytes <= 150);
zips(join(base, "many"), { files: 20_000, bytes: 100_000_000 });
