// A run in a store of many: what it reads does not grow with the runs beside it.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { seedRepository } from "../support/seed-repository.ts";
import { seedRuns } from "../support/seed-runs.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { hasStrace } from "../support/traced.ts";
import { addsLine, bin, fixing, openTestDesk, stub, type Desk } from "./program.ts";

const command = ["run", "fix add", "--team", "stub", "--approvals", "autopilot", "--json"];
const check = ["--check", addsLine];

/** Leaves the fix alone and adds to another file. */
const writing = {
  roles: {
    implementer: [
      { edits: [{ op: "append", path: "README.md", text: "More.\n" }], payload: { changedFiles: ["README.md"] } },
    ],
  },
};

/** The bytes that a whole run read, with all that it started, as the kernel counts them. */
function readByRun(desk: Desk): number {
  const line = `"$@" > /dev/null; cat /proc/$$/io`;
  const ran = spawnSync("sh", ["-c", line, "sh", process.execPath, bin, ...command, ...check, ...stub(fixing)], {
    cwd: desk.repo.dir,
    env: desk.env,
    encoding: "utf8",
  });
  const [, count = ""] = /^rchar: (\d+)$/m.exec(ran.stdout) ?? [];
  expect(ran.stderr).not.toContain("thehood:");
  expect(Number(count)).toBeGreaterThan(0);
  return Number(count);
}

/** Every path that a whole run names to the kernel, and every folder that it lists, with all that it started. */
function touchedByRun(desk: Desk, script: object): { readonly named: string; readonly listed: string } {
  const trace = join(tempFolder("trace-"), "calls");
  const calls = ["-f", "-y", "-qq", "-s", "300", "-o", trace, "-e", "trace=%file,getdents64"];
  const program = [process.execPath, bin, ...command, ...check, ...stub(script)];
  const ran = spawnSync("strace", [...calls, ...program], { cwd: desk.repo.dir, env: desk.env, encoding: "utf8" });
  expect(ran.status, ran.stderr).toBe(0);
  const lines = readFileSync(trace, "utf8").split("\n");
  const lists = (line: string) => line.includes("getdents64(");
  return {
    named: lines.filter((line) => !lists(line)).join("\n"),
    listed: lines.filter(lists).join("\n"),
  };
}

describe.skipIf(process.platform !== "linux")("a store of many runs (needs Linux)", () => {
  it("[R-71] a run beside four hundred others reads hardly more than one beside a few", async () => {
    const desk = openTestDesk();
    const { runId } = desk.thehood([...command, ...check, ...stub(fixing)]).json<{ runId: string }>();
    desk.repo.git("checkout", "-q", "--", ".");
    await seedRuns(desk.repo.dir, runId, 5);
    const few = readByRun(desk);
    desk.repo.git("checkout", "-q", "--", ".");
    await seedRuns(desk.repo.dir, runId, 400);
    const many = readByRun(desk);
    expect(many).toBeLessThan(few * 1.5);
  });

  it.skipIf(!hasStrace)(
    "[B-31] a run touches nothing that other runs left, lists no folder that grows, and leaves two refs (needs strace)",
    async () => {
      const desk = openTestDesk();
      const { runId } = desk.thehood([...command, ...check, ...stub(fixing)]).json<{ runId: string }>();
      desk.repo.git("checkout", "-q", "--", ".");
      const state = join(desk.home, "config", "state");
      await seedRepository({ dir: desk.repo.dir, state, runId, total: 30 });
      // Work that is not committed: the next run gets a base of its own.
      desk.thehood([...command, ...check, ...stub(fixing)]);
      const refs = () => desk.repo.git("for-each-ref", "--format=%(refname)").split("\n").filter(Boolean);
      const before = refs();
      const { named, listed } = touchedByRun(desk, writing);
      const seeded = /run_0{18}[0-9a-z]{4}/;
      expect(named).toContain(join(desk.repo.dir, ".git"));
      expect(
        named
          .split("\n")
          .filter((line) => seeded.test(line))
          .slice(0, 5),
      ).toEqual([]);
      expect(
        /<[^>]*\/(?:refs\/thehood(?:\/\w+)?|artifacts\/[0-9a-f]{2}|evidence\/heads)>/.exec(listed)?.[0],
      ).toBeUndefined();
      const added = refs().filter((ref) => !before.includes(ref));
      // The commit that earlier runs began on has its ref already.
      expect(added.map((ref) => ref.replace(/run_\w+/, "RUN"))).toEqual([
        "refs/thehood/commit/RUN/1",
        "refs/thehood/keep/RUN/1",
      ]);
    },
  );
});
