// kill -9 at each step of the ways of a pull request: before and after the push, at each question to the forge, for thehood pr,
// pr watch, run --pr-draft and run --pr. Afterwards the same command does the rest, and nothing is there twice.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { openForgeDesk, type ForgeDesk } from "./forge-scene.ts";
import { fixing, stub } from "./program.ts";

const auto = ["--team", "stub", "--approvals", "autopilot", "--json"];
const never = "no such words";

/** The process of thehood above a hook is killed. */
const killing = `#!/bin/sh
p=$$
while [ "$p" -gt 1 ]; do
  if tr '\\0' ' ' < /proc/$p/cmdline | grep -q 'thehood.js'; then kill -9 $p; exit 0; fi
  p=$(awk '{print $4}' /proc/$p/stat)
done
`;

const count = (text: string, words: string): number => text.split(words).length - 1;
const typesOf = ({ thehood }: ForgeDesk, runId: string): string[] =>
  thehood(["logs", runId, "--json"])
    .json<{ events: { event: { type: string } }[] }>()
    .events.map(({ event }) => event.type);
const timesOf = (forge: ForgeDesk, runId: string, type: string): number =>
  typesOf(forge, runId).filter((one) => one === type).length;

function onBranch(): { forge: ForgeDesk; runId: string } {
  const forge = openForgeDesk();
  const ran = forge.thehood(["run", "make add() add", "--branch", "fix-add", ...auto, ...stub(fixing)]);
  return { forge, runId: ran.json<{ runId: string }>().runId };
}

describe.skipIf(process.platform !== "linux")("thehood pr, killed", () => {
  it.each(["pre-receive", "post-receive"])("[B-40] in the push (%s), leads to one push and one request", (name) => {
    const { forge, runId } = onBranch();
    const hook = join(forge.remote, "hooks", name);
    writeFileSync(hook, killing, { mode: 0o755 });
    expect(forge.thehood(["pr", runId, "--yes"]).code).toBeNull();
    expect(forge.calls()).not.toContain("pr create");
    rmSync(hook);
    const again = forge.thehood(["pr", runId, "--yes", "--json"]);
    expect(again.json(), again.err).toMatchObject({ created: true });
    const { commit } = again.json<{ commit: string }>();
    expect(forge.atRemote("refs/heads/fix-add")).toBe(commit);
    expect(count(forge.calls(), "pr create")).toBe(1);
    expect(timesOf(forge, runId, "request_opened")).toBe(1);
    expect(forge.thehood(["log", "verify"]).code).toBe(0);
  });
});

it("[B-40] a run whose draft goes out with its approval, killed after the draft was opened, finishes with one of it", () => {
  const forge = openForgeDesk();
  forge.thehood(["config", "set", "policy.autopilotMayPush", "true"]);
  forge.set((state) => (state.killAfter = "pr create"));
  const killed = forge.thehood(["run", "make add() add", "--pr-draft", ...auto, ...stub(fixing)]);
  expect(killed.code).toBeNull();
  forge.set((state) => (state.killAfter = never));
  const { runs } = forge.thehood(["runs", "--json"]).json<{ runs: { runId: string }[] }>();
  const runId = runs[0]?.runId ?? "";
  const went = forge.thehood(["continue", runId]);
  expect(went.out + went.err).toContain("https://github.com/o/r/pull/7");
  expect(count(forge.calls(), "pr create")).toBe(1);
  expect(timesOf(forge, runId, "request_opened")).toBe(1);
  forge.thehood(["continue", runId]);
  expect(count(forge.calls(), "pr create")).toBe(1);
});

it("[B-40] pr watch, killed at each question, records one result", () => {
  const { forge, runId } = onBranch();
  forge.thehood(["pr", runId, "--yes"]);
  forge.set((state) => {
    const [request] = state.requests;
    if (request) request.checks = [{ name: "test", result: "failed", job: 2 }];
    state.logs["2"] = "boom\n";
  });
  const watch = () => forge.thehood(["pr", "watch", runId, "--every", "1", "--json"]);
  for (const words of ["pr list", "pr view", "api graphql", "run view"]) {
    forge.set((state) => (state.killAfter = words));
    expect(watch().code, words).toBeNull();
    expect(timesOf(forge, runId, "ci_recorded"), words).toBe(0);
  }
  forge.set((state) => (state.killAfter = never));
  expect(watch().json()).toMatchObject({ state: "failed" });
  expect(timesOf(forge, runId, "ci_recorded")).toBe(1);
});

it("[B-40] run --pr, killed at each question, starts one run in the end and pushes one commit after the first", () => {
  const { forge, runId } = onBranch();
  forge.thehood(["pr", runId, "--yes"]);
  const first = forge.atRemote("refs/heads/fix-add");
  forge.set((state) => {
    const [request] = state.requests;
    if (request) request.checks = [{ name: "test", result: "failed", job: 2 }];
    request?.comments.push("b first");
    state.logs["2"] = "boom\n";
  });
  const edits = [{ op: "replace", path: "src/add.js", find: "a + b", with: "b + a" }];
  const run = () => forge.thehood(["run", "--pr", "7", ...auto, ...stub({ roles: { implementer: [{ edits }] } })]);
  const total = () => forge.thehood(["status", "--json"]).json<{ total: number }>().total;
  for (const words of ["pr view", "api graphql", "run view"]) {
    forge.set((state) => (state.killAfter = words));
    expect(run().code, words).toBeNull();
    expect(total(), words).toBe(1);
  }
  forge.set((state) => (state.killAfter = never));
  const ran = run();
  expect(ran.code, ran.out + ran.err).toBe(0);
  const next = ran.json<{ runId: string }>().runId;
  for (const words of ["pr list", never]) {
    forge.set((state) => (state.killAfter = words));
    forge.thehood(["pr", next, "--yes", "--json"]);
  }
  expect(count(forge.calls(), "pr create")).toBe(1);
  const tip = forge.atRemote("refs/heads/fix-add");
  expect(forge.desk.repo.git("rev-parse", `${tip}~1`).trim()).toBe(first);
  expect(timesOf(forge, next, "request_opened")).toBe(1);
  expect(forge.thehood(["log", "verify"]).code).toBe(0);
});
