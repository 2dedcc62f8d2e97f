// Test only: repositories of a stranger. Each has one thing in it that leaves a mark when anything runs it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeRepository, type TestRepository } from "../support/repository.ts";
import { removeFolder } from "../support/remove-folder.ts";

/** How a sink leaves its mark. */
export interface Fuse {
  /** A shell line that leaves the mark. */
  readonly command: string;
  /** A program file that leaves the mark and then copies its input to its output. */
  readonly program: string;
  /** A folder outside the repository; nothing may ever change in it. */
  readonly outside: string;
}

export interface Canary {
  readonly name: string;
  readonly plant: (repository: TestRepository, fuse: Fuse) => void;
  /** Plain git as a careless program runs it. Where given, the test shows that the sink is armed. */
  readonly careless?: (repository: TestRepository) => void;
}

export interface PlantedCanary {
  readonly name: string;
  readonly dir: string;
  readonly repository: TestRepository;
  readonly fired: () => boolean;
  readonly remove: () => void;
}

/** A marked repository with two commits, a changed, a staged and an untracked file. */
export function plant(canary: Canary): PlantedCanary {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "thehood-canary-")));
  const mark = join(home, "fired");
  const program = join(home, "program");
  const outside = join(home, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "precious.txt"), "precious\n");
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${mark}'\ncat\n`, { mode: 0o755 });
  const repository = makeRepository({
    "a.txt": "one\n",
    "b.bin": Buffer.from([0, 1, 2]),
    "src/c.ts": "export const c = 1;\n",
    "package.json": '{ "name": "x" }\n',
  });
  repository.write("a.txt", "two\n");
  repository.commit("second");
  canary.plant(repository, { command: `echo fired >> '${mark}'; cat`, program, outside });
  repository.write("src/c.ts", "export const c = 2;\n");
  repository.write("untracked.txt", "new\n");
  if (existsSync(mark)) throw new Error(`${canary.name} fired while it was planted`);
  return {
    name: canary.name,
    dir: repository.dir,
    repository,
    fired: () => existsSync(mark) || readFileSync(join(outside, "precious.txt"), "utf8") !== "precious\n",
    remove: () => {
      repository.remove();
      removeFolder(home);
    },
  };
}

/** Runs plain git and shrugs when it fails or waits for ever: many a sink breaks what it hangs on. */
export function careless(dir: string, ...args: string[]): void {
  spawnSync("git", ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", ...args], {
    cwd: dir,
    stdio: "ignore",
    timeout: 5_000,
    killSignal: "SIGKILL",
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" },
  });
}

export const together = (name: string, canaries: readonly Canary[]): Canary => ({
  name,
  plant: (repository, fuse) => {
    for (const canary of canaries) canary.plant(repository, fuse);
  },
});
