// Leftovers that no record names: removed after a run by age and size, at once with `thehood prune`, and never a record.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixing, openTestDesk, stub, type Desk } from "./program.ts";

const run = ["run", "fix add", "--team", "stub", "--approvals", "autopilot", "--no-checks", ...stub(fixing)];
const dayMs = 86_400_000;

function makeOld(path: string, days: number): void {
  const at = (Date.now() - days * dayMs) / 1_000;
  utimesSync(path, at, at);
}

/** Scratch trees and an artifact without a record, of these ages in days. */
function leaveBehind(desk: Desk) {
  const tree = (name: string, days: number): string => {
    const folder = join(desk.home, ".cache", "thehood", "scratch", name);
    mkdirSync(join(folder, "tree"), { recursive: true });
    writeFileSync(join(folder, "tree", "file"), "x");
    makeOld(join(folder, "tree"), days);
    makeOld(folder, days);
    return folder;
  };
  const name = createHash("sha256").update("nothing names this").digest("hex");
  const shard = join(desk.repo.dir, ".git", "thehood", "artifacts", name.slice(0, 2));
  mkdirSync(shard, { recursive: true });
  const artifact = join(shard, name.slice(2));
  writeFileSync(artifact, "nothing names this");
  makeOld(artifact, 40);
  const said = (name: string, days: number): string => {
    const folder = join(desk.repo.dir, ".git", "thehood", "detached");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), "");
    makeOld(join(folder, name), days);
    return join(folder, name);
  };
  const logs = { oldLog: said("run_0old0old.log", 9), youngLog: said("run_0young0.log", 1) };
  return { ...logs, old: tree("run_0old0old", 9), young: tree("run_0young0", 1), other: tree("mine", 400), artifact };
}

const marker = (desk: Desk): string => join(desk.repo.dir, ".git", "thehood", "pruned.json");
const exist = (left: ReturnType<typeof leaveBehind>) =>
  Object.entries(left)
    .filter(([, path]) => existsSync(path))
    .map(([name]) => name);

function prepared(): Desk {
  const desk = openTestDesk();
  expect(desk.thehood(run).code).toBe(0);
  expect(JSON.parse(readFileSync(marker(desk), "utf8"))).toEqual({
    scratch: expect.any(Number),
    artifacts: expect.any(Number),
  });
  desk.repo.git("checkout", "-q", "--", ".");
  return desk;
}

const longAgo = JSON.stringify({ scratch: 1, artifacts: 1 });

describe("[B-31] leftovers that no record names", () => {
  it("go after a run when their time has come, and the record verifies", () => {
    const desk = prepared();
    const left = leaveBehind(desk);
    expect(desk.thehood(run).code).toBe(0);
    expect(exist(left)).toEqual(["oldLog", "youngLog", "old", "young", "other", "artifact"]);
    writeFileSync(marker(desk), longAgo);
    desk.repo.git("checkout", "-q", "--", ".");
    const { code, err, out } = desk.thehood(run);
    expect(code).toBe(0);
    expect(err + out).toContain("removed 2 old leftovers of runs");
    expect(exist(left)).toEqual(["youngLog", "young", "other"]);
    expect(desk.thehood(["log", "verify"]).code).toBe(0);
  });

  it("stay when the user switched it off, until `thehood prune` is called", () => {
    const desk = prepared();
    desk.thehood(["config", "set", "prune.automatic", "false"]);
    const left = leaveBehind(desk);
    writeFileSync(marker(desk), longAgo);
    expect(desk.thehood(run).code).toBe(0);
    expect(exist(left)).toEqual(["oldLog", "youngLog", "old", "young", "other", "artifact"]);
    const { pruned } = desk.thehood(["prune", "--json"]).json<{ pruned: object }>();
    expect(pruned).toMatchObject({ scratch: { count: 2 }, artifacts: { count: 1, bytes: 18 } });
    expect(exist(left)).toEqual(["youngLog", "young", "other"]);
  });

  it("go with their run when it is deleted", () => {
    const desk = prepared();
    const { runId } = desk.thehood(["status", "--json"]).json<{ runs: { runId: string }[] }>().runs[0] ?? { runId: "" };
    const folder = join(desk.repo.dir, ".git", "thehood");
    const files = [join(folder, "detached", `${runId}.log`), join(folder, "requests", `${runId}.md`)];
    for (const path of files) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, "said");
    }
    expect(desk.thehood(["runs", "delete", runId]).code).toBe(0);
    expect(files.filter((path) => existsSync(path))).toEqual([]);
  });

  it("a damaged note of the last time stops no run", () => {
    const desk = prepared();
    writeFileSync(marker(desk), "{ half");
    expect(desk.thehood(run).code).toBe(0);
    expect(JSON.parse(readFileSync(marker(desk), "utf8"))).toMatchObject({ scratch: expect.any(Number) });
  });
});
