// Locks that a killed git left on refs of ours.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { expect, it, onTestFinished } from "vitest";
import { makeRepository } from "../../../tests/support/repository.ts";
import { requireRepository } from "./locate.ts";
import { moveOwnRef } from "./own-refs.ts";

const ref = "refs/thehood/keep/run_abc12345/1";

function scene() {
  const made = makeRepository({ "a.txt": "one\n" });
  onTestFinished(made.remove);
  const lock = (name: string, old = true): string => {
    const path = join(made.dir, ".git", `${name}.lock`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "");
    if (old) utimesSync(path, 1_000, 1_000);
    return path;
  };
  return { repository: requireRepository(made.dir), commit: made.git("rev-parse", "HEAD").trim(), git: made.git, lock };
}

it.each([true, false])(
  "[B-17] a lock that no process holds is removed, and the ref is written (old: %s)",
  async (old) => {
    const { repository, commit, git, lock } = scene();
    const path = lock(ref, old);
    expect(await moveOwnRef(repository, ref, commit, null)).toBe(true);
    expect(git("rev-parse", ref).trim()).toBe(commit);
    expect(existsSync(path)).toBe(false);
  },
);

it("[B-17] a ref under a stale lock can be deleted too, and only with the value that was seen", async () => {
  const { repository, commit, lock } = scene();
  await moveOwnRef(repository, ref, commit, null);
  expect(await moveOwnRef(repository, ref, null, "1".repeat(40))).toBe(false);
  lock(ref);
  expect(await moveOwnRef(repository, ref, null, commit)).toBe(true);
});

it.skipIf(process.platform !== "linux")("a lock stays while a process names its ref", async () => {
  const { repository, commit, lock } = scene();
  const path = lock(ref);
  const holder = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)", ref], { stdio: "ignore" });
  onTestFinished(() => void holder.kill("SIGKILL"));
  expect(await moveOwnRef(repository, ref, commit, null)).toBe(false);
  expect(existsSync(path)).toBe(true);
});

it("[B-18] a ref of the user is not written and its lock stays", async () => {
  const { repository, commit, lock } = scene();
  const path = lock("refs/heads/main");
  await expect(moveOwnRef(repository, "refs/heads/main", commit)).rejects.toThrow("not a ref of ours");
  expect(existsSync(path)).toBe(true);
});
