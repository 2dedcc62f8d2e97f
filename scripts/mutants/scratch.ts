// A copy of this tree where code may be broken: a git worktree in a temporary folder, with everything not yet committed.
// Broken code may delete or overwrite anything it can reach, so it runs where only that folder can be written.
import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";

export interface Scratch {
  readonly dir: string;
  /** Whether all of the tests pass. Builds the programs first when one of the files starts them. */
  passes(tests: readonly string[]): boolean;
  dispose(): void;
}

export function openScratch(root: string): Scratch {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" });
  const parent = mkdtempSync(join(tmpdir(), "thehood-mutants-"));
  const dir = join(parent, "tree");
  git("worktree", "add", "--quiet", "--detach", dir, "HEAD");
  for (const path of git("ls-files", "-z", "--modified", "--others", "--exclude-standard").split("\0")) {
    if (path === "" || path === "node_modules") continue;
    const to = join(dir, path);
    if (!existsSync(join(root, path))) rmSync(to, { force: true });
    else {
      mkdirSync(dirname(to), { recursive: true });
      copyFileSync(join(root, path), to);
    }
  }
  const packages = realpathSync(join(root, "node_modules"));
  symlinkSync(packages, join(dir, "node_modules"));
  const confined = walls(parent, packages);
  const node = (...args: string[]) =>
    spawnSync("bwrap", [...confined, process.execPath, ...args], {
      cwd: dir,
      stdio: ["ignore", "ignore", "ignore"],
    }).status === 0;
  return {
    dir,
    passes(tests) {
      const built = tests.some((test) => startsPrograms(dir, fileOf(test)));
      if (built && !node("scripts/build.mjs")) return false;
      return byPattern(tests).every(([pattern, files]) =>
        node(
          join("node_modules", "vitest", "vitest.mjs"),
          "run",
          "--bail=1",
          // The usual way writes beside the packages, which are read-only here.
          "--configLoader=native",
          ...(pattern === "" ? [] : ["-t", pattern]),
          ...files,
        ),
      );
    },
    dispose() {
      git("worktree", "remove", "--force", dir);
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

export const canConfine = (): boolean =>
  spawnSync("bwrap", ["--ro-bind", "/", "/", "--dev", "/dev", "true"]).status === 0;

/** Everything can be read and nothing but this folder written: temporary files and the home lie in it too. */
function walls(folder: string, packages: string): string[] {
  const [home, temporary] = [join(folder, "home"), join(folder, "tmp")];
  for (const made of [home, temporary]) mkdirSync(made);
  const root = process.getuid?.() === 0 ? ["--cap-add", "ALL"] : [];
  // The system's own /proc: without it no sandbox can be made inside this one.
  const seen = "--ro-bind / / --dev /dev --bind /proc /proc --tmpfs /tmp --die-with-parent".split(" ");
  // Also where the project, and the program that it installed, lie in a temporary folder.
  const program = dirname(realpathSync(process.execPath));
  const kept = [packages, program].flatMap((path) => ["--ro-bind", path, path]);
  const own = ["--bind", folder, folder, "--setenv", "HOME", home, "--setenv", "TMPDIR", temporary];
  return [...seen, ...kept, ...own, ...root, "--"];
}

/** A test is named by its file, or by its file, a # and words of its title. */
export const fileOf = (test: string): string => test.split("#")[0] ?? "";

function byPattern(tests: readonly string[]): [string, string[]][] {
  const groups = Map.groupBy(tests, (test) => test.split("#")[1] ?? "");
  return [...groups].map(([pattern, group]) => [pattern, group.map(fileOf)]);
}

/** Tests under `tests/` may start `dist/`; those that only import sources say so by their imports. */
function startsPrograms(dir: string, file: string): boolean {
  if (!file.startsWith("tests/")) return false;
  return /program\.ts"|built\.ts"|client\.ts"|stage\.ts"|bin\//.test(readFileSync(join(dir, file), "utf8"));
}
