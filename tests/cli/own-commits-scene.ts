// What a person and git see of the refs of runs, and a gc that takes away whatever no ref leads to.
import { expect } from "vitest";
import { fixing, stub, type Desk } from "./program.ts";

export const commits = ({ repo }: Desk) => repo.git("log", "--all", "--format=%H").trim().split("\n").toSorted();
export const refs = ({ repo }: Desk, ...under: string[]) => repo.git("for-each-ref", "--format=%(refname)", ...under);

export const good = (desk: Desk, ...args: string[]) => {
  const ran = desk.thehood(args);
  expect(ran.code, ran.out + ran.err).toBe(0);
  return ran;
};

export function start(desk: Desk, ...words: string[]) {
  const ran = desk.thehood(["run", "make add add", "--team", "stub", "--json", ...words, ...stub(fixing)]);
  return ran.json<{ runId: string }>();
}

/** Answers yes to what is asked now; the run may ask again. */
export function answer(desk: Desk, runId: string): void {
  const [, shown = ""] = /--shown ([0-9a-f]{64})/.exec(desk.thehood(["status", runId]).out) ?? [];
  const ran = desk.thehood(["approve", runId, "--shown", shown, "--message", "apply isolated patch"]);
  expect([0, 3], ran.out + ran.err).toContain(ran.code);
}

/** As the user may do it at any time: what no ref leads to is gone. */
export function collect({ repo }: Desk): void {
  repo.git("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all");
  repo.git("gc", "-q", "--prune=now");
  expect(repo.git("fsck", "--no-dangling")).toBe("");
}

export const added = "+export const add = (a, b) => a + b;";
