// Calls Go and Rust functions from a program of our own, in the module itself, without tests and history, in the sandbox.
import { randomBytes } from "node:crypto";
import { promises } from "node:fs";
import { dirname, join } from "node:path";
import { mountDependencies, openScratch, shownAt, treeFiles, type TreeFiles } from "../../checks/index.ts";
import { openPipe } from "../pipe.ts";
import { type PlannedCall, type Played, readPlayed } from "../played.ts";
import { isTestCode } from "../targets.ts";
import type { CompiledReplay } from "./compiled.ts";
import { playGo } from "./go.ts";
import { playRust } from "./rust.ts";
import type { Signature } from "./signature.ts";

interface CompiledPlay {
  readonly language: "go" | "rust";
  readonly mark: string;
  readonly tree: string;
  readonly label: string;
  readonly calls: readonly PlannedCall[];
  readonly signatures: readonly Signature[];
}

interface Program {
  readonly path: string;
  readonly text: string;
  readonly argv: readonly [string, ...string[]];
}

const folderOf = (path: string): string => (dirname(path) === "." ? "" : dirname(path));

/** The import path of each file's package; null where the module has no name. */
async function packagesIn(files: TreeFiles, cwd: string, paths: readonly string[]) {
  const text = await files.read(cwd === "" ? "go.mod" : `${cwd}/go.mod`);
  const module = /^module\s+(\S+)/m.exec(text ?? "")?.[1];
  if (module === undefined) return null;
  const texts = await Promise.all(paths.map((path) => files.read(path)));
  const found = paths.flatMap((path, at): [string, string][] => {
    const folder = cwd === "" ? folderOf(path) : folderOf(path).slice(cwd.length + 1);
    // A program cannot be loaded by another one.
    return /^package\s+main\b/m.test(texts[at] ?? "") ? [] : [[path, folder === "" ? module : `${module}/${folder}`]];
  });
  return new Map(found);
}

async function programFor(
  files: TreeFiles,
  cwd: string,
  play: CompiledPlay,
  pipe: string,
): Promise<Program | undefined> {
  const { language, mark, label, signatures } = play;
  const byName = new Map(signatures.map((one) => [`${one.file} ${one.name}`, one]));
  const to = { mark, pipe, label };
  const below = (path: string) => (cwd === "" ? path : `${cwd}/${path}`);
  if (language === "go") {
    const packages = await packagesIn(files, cwd, [...new Set(signatures.map(({ file }) => file))]);
    const calls = play.calls.filter(({ m }) => packages?.has(m));
    const text = packages ? playGo(calls, byName, packages, to) : null;
    return text === null ? undefined : { path: below(`${mark}/main.go`), text, argv: ["go", "run", `./${mark}`] };
  }
  const manifest = (await files.read(below("Cargo.toml"))) ?? "";
  const crate =
    /^\[lib\][^[]*?^name\s*=\s*"([\w-]+)"/m.exec(manifest)?.[1] ??
    /^\[package\][^[]*?^name\s*=\s*"([\w-]+)"/m.exec(manifest)?.[1];
  const hasLibrary = files.paths.includes(below("src/lib.rs"));
  const text = crate === undefined || !hasLibrary ? null : playRust(play.calls, byName, crate.replaceAll("-", "_"), to);
  if (text === null) return undefined;
  const argv = ["cargo", "run", "--offline", "--quiet", "--example", mark] as const;
  return { path: below(`examples/${mark}.rs`), text, argv };
}

const mostMs = 120_000;
const leastMs = 30_000;

/** Undefined where the calls cannot be written down or compiled; a busy machine gets the longest time. */
export async function playCompiled(
  replay: CompiledReplay,
  play: CompiledPlay,
): Promise<Played | "timeout" | undefined> {
  const timeoutMs = Math.min(mostMs, Math.max(leastMs, 3 * replay.tookMs));
  const played = await playOnce(replay, play, timeoutMs);
  return played === "timeout" ? playOnce(replay, play, mostMs) : played;
}

async function playOnce(replay: CompiledReplay, play: CompiledPlay, timeoutMs: number) {
  const { repository, spec, runner, signal } = replay;
  const files = await treeFiles(repository, play.tree);
  const pipe = openPipe();
  if (!pipe) return undefined;
  const dir = join(replay.scratchRoot, randomBytes(6).toString("hex"));
  let text = "";
  let isLate = false;
  try {
    const program = await programFor(files, spec.cwd, play, pipe.path);
    if (program) {
      const scratch = await openScratch(repository, dir, play.tree, "none");
      try {
        await Promise.all(files.paths.filter(isTestCode).map((path) => promises.rm(join(dir, path), { force: true })));
        await promises.mkdir(dirname(join(dir, program.path)), { recursive: true });
        await promises.writeFile(join(dir, program.path), program.text);
        const { lent } = await mountDependencies(repository.top, dir, files.paths, true);
        const { ended } = await runner.run({
          argv: program.argv,
          cwd: join(dir, spec.cwd),
          writable: [dir],
          shown: { folder: dir, at: shownAt(repository.top), lent },
          own: [{ path: pipe.folder, access: "read" }],
          network: false,
          inherit: true,
          timeoutMs,
          maxOutputBytes: 4 << 20,
          ...(signal ? { signal } : {}),
        });
        isLate = ended === "timeout";
      } finally {
        scratch.dispose();
      }
    }
  } finally {
    text = await pipe.close();
  }
  return readPlayed(text).get(play.label) ?? (isLate ? ("timeout" as const) : undefined);
}
