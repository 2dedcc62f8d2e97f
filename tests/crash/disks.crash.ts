// Runs on real disks that lose power, fill up, cannot be written, or lie in the middle of the checkout.
import { spawn, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { canLoop, canMount, mortalDisk, smallDisk } from "./disks.ts";

const bin = resolve(import.meta.dirname, "../../bin/thehood.js");
const paths = ["a.txt", "src/b.txt", "src/c.txt"];

/** A repository with three files in this folder; the worker adds a word to each. `seen` is the folder as this process sees it. */
function scene(top: string, seen = top, inside: readonly string[] = []) {
  const [repo, home, tmp] = [join(top, "repo"), join(top, "home"), join(top, "tmp")];
  const here = join(seen, "repo");
  for (const folder of ["repo/src", "home", "tmp"]) mkdirSync(join(seen, folder), { recursive: true });
  for (const path of paths) writeFileSync(join(here, path), "hello\n");
  const into = ["bash", "-c", 'cd "$0" && exec "$@"', repo];
  const argv = (...words: string[]) => [...inside, ...into, ...words] as [string, ...string[]];
  const run = (words: readonly string[]) => {
    const [program, ...args] = argv(...words);
    return spawnSync(program, args, { env, encoding: "utf8" });
  };
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    TMPDIR: tmp,
    NO_COLOR: "1",
    GIT_AUTHOR_NAME: "u",
    GIT_AUTHOR_EMAIL: "u@x.y",
    GIT_COMMITTER_NAME: "u",
    GIT_COMMITTER_EMAIL: "u@x.y",
  };
  run(["git", "init", "-q", "-b", "main"]);
  run(["git", "add", "-A"]);
  run(["git", "commit", "-q", "-m", "first"]);
  // The user's own commit is on the disk before we come.
  spawnSync("sync");
  const edits = paths.map((path) => ({ op: "write", path, text: "hello world\n" }));
  const step = { summary: "done", edits, payload: { status: "changed", changedFiles: paths } };
  const script = join(top, "script.json");
  writeFileSync(join(seen, "script.json"), JSON.stringify({ repeatLast: true, roles: { implementer: [step] } }));
  const words = ["run", "x", "--team", "stub", "--stub-script", script, "--check", "grep world a.txt"];
  const hood = (...args: string[]) => run([process.execPath, bin, ...args]);
  return {
    repo: here,
    words,
    hood,
    git: (...args: string[]) => run(["git", ...args]),
    start: (...more: string[]) => hood(...words, ...more),
    spawn: (...args: string[]) => {
      const [program, ...rest] = argv(process.execPath, bin, ...args);
      return spawn(program, rest, { env, stdio: "ignore", detached: true });
    },
    /** "old", "new", or a mix. */
    checkout: () => {
      const texts = new Set(paths.map((path) => readFileSync(join(here, path), "utf8")));
      return texts.size > 1 ? "a mix" : texts.has("hello\n") ? "old" : "new";
    },
    health: () => {
      const [fsck, verified] = [run(["git", "fsck", "--full"]), hood("log", "verify")];
      return { fsck: fsck.status, verify: verified.status, said: fsck.stderr + verified.stdout };
    },
  };
}

/** A call that was out when the power went is in doubt: a person lets it be asked again. */
function askedAgain<T extends { readonly stdout: string }>(made: { hood: (...args: string[]) => T }, begun: T): T {
  const asked = /^ +(thehood approve (run_\w+) --shown (\w+) --retry)$/m.exec(begun.stdout);
  return asked ? made.hood("approve", asked[2] ?? "", "--shown", asked[3] ?? "", "--retry") : begun;
}

const healthy = { fsck: 0, verify: 0 };

describe.skipIf(!canLoop)("a real power loss (needs root, loop devices, mkfs.ext4 and python3)", () => {
  it("leaves work that was kept, with everything that its refs reach", async () => {
    using disk = await mortalDisk();
    const made = scene(disk.folder, disk.seen, disk.inside);
    expect(made.start("--approvals", "autopilot", "--max-iterations", "3").status).toBe(3);
    expect(made.hood("abort").status).toBe(0);
    const refs = made.git("for-each-ref", "--format=%(refname)", "refs/thehood/keep").stdout.trim();
    expect(refs).not.toBe("");
    await disk.cut();
    for (const ref of refs.split("\n")) expect(made.git("archive", "-o", "/dev/null", ref).status, ref).toBe(0);
    expect(made.health()).toMatchObject(healthy);
  });

  it("at any moment of a run leaves a run that goes on to its end, and a whole checkout", async () => {
    for (let round = 0; round < 8; round += 1) {
      using disk = await mortalDisk();
      const made = scene(disk.folder, disk.seen, disk.inside);
      const child = made.spawn(...made.words, "--approvals", "autopilot");
      const gone = new Promise((done) => child.once("exit", done));
      await sleep(500 + randomInt(6_000));
      await disk.cut(async () => {
        if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
        await gone;
      });
      const listed = made.hood("runs", "--json");
      expect(listed.status, listed.stdout).toBe(0);
      const { runs } = JSON.parse(listed.stdout) as { runs: { runId: string }[] };
      const [run] = runs;
      const begun = run ? made.hood("continue", run.runId) : made.start("--approvals", "autopilot");
      const ended = askedAgain(made, begun);
      expect(ended.status, ended.stdout + ended.stderr).toBe(0);
      expect(made.checkout()).toBe("new");
      const health = made.health();
      expect(health, health.said).toMatchObject(healthy);
    }
  });
});

describe.skipIf(!canMount)("other file systems (needs root and mount)", () => {
  it.each(["src", ".thehood"])("%s is a mount of its own: never half a checkout, no bug is reported", (folder) => {
    const made = scene(tempFolder("mount-"));
    using _disk = smallDisk(join(made.repo, folder), "20m");
    for (const path of paths) {
      mkdirSync(join(made.repo, "src"), { recursive: true });
      writeFileSync(join(made.repo, path), "hello\n");
    }
    const ran = made.start("--approvals", "autopilot");
    expect(ran.stderr).not.toContain("internal error");
    expect(["old", "new"]).toContain(made.checkout());
    expect(made.health()).toMatchObject(healthy);
  });

  it("a disk that is full stops a run by name; with space again it goes on to its end", () => {
    const top = tempFolder("full-");
    using _disk = smallDisk(top, "24m");
    const made = scene(top);
    expect(made.start("--approvals", "manual").status).toBe(3);
    const fill = join(top, "fill");
    spawnSync("dd", ["if=/dev/zero", `of=${fill}`, "bs=4k"]);
    const full = made.hood("abort", "--json");
    expect(full.stdout + full.stderr).toMatch(/full|space/i);
    expect(full.stdout + full.stderr).not.toContain("internal error");
    rmSync(fill);
    const ended = made.hood("abort");
    expect(ended.status, ended.stderr).toBe(0);
    expect(made.health()).toMatchObject(healthy);
  });

  it("a disk that cannot be written is reported by name, and what is there can still be read", () => {
    const top = tempFolder("read-only-");
    using _disk = smallDisk(top, "24m");
    const made = scene(top);
    expect(made.start("--approvals", "manual").status).toBe(3);
    spawnSync("mount", ["-o", "remount,ro", top]);
    const refused = made.hood("abort");
    const looked = [made.hood("runs").status, made.hood("status").status];
    spawnSync("mount", ["-o", "remount,rw", top]);
    expect(refused.status).not.toBe(0);
    expect(refused.stderr).toMatch(/read-only|permission|cannot be written|not writable/i);
    expect(refused.stderr).not.toContain("internal error");
    expect(looked).toEqual([0, 0]);
    expect(made.hood("abort").status).toBe(0);
  });
});
