// The way of a pull request after a run: its draft is opened with the approval of the result, its checks are waited for and
// recorded, and it is marked as ready where they pass. Real program, real git, a scripted `gh` or `glab` on the path.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openForgeDesk, type ForgeCheck, type ForgeDesk } from "./forge-scene.ts";
import { fixing, stub } from "./program.ts";

const asked = ["--team", "stub", "--json", ...stub(fixing)];
const token = ["ghp", "_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");

interface Logged {
  readonly type: string;
  readonly ci?: { readonly state: string; readonly commit: string; readonly logs: { readonly ref: string }[] };
}

const eventsOf = ({ thehood }: ForgeDesk, runId: string, type: string): Logged[] =>
  thehood(["logs", runId, "--json"])
    .json<{ events: { event: Logged }[] }>()
    .events.map(({ event }) => event)
    .filter((event) => event.type === type);

const setRequest = ({ set }: ForgeDesk, change: object): void =>
  set((state) => Object.assign(state.requests.at(-1) ?? {}, change));

const check = (result: ForgeCheck["result"]): ForgeCheck => ({ name: "test", result, job: 2 });

const count = (text: string, words: string): number => text.split(words).length - 1;

/** A person approves whatever the run asks, until it is over. */
function approveAll({ thehood }: ForgeDesk, runId: string): string {
  for (let gates = 0; gates < 5; gates += 1) {
    const gate = thehood(["show", runId, "--json"]).json<{ gates: { phrase: string | null }[] }>().gates[0];
    if (!gate) break;
    const words = gate.phrase === null ? [] : ["--message", gate.phrase];
    const { code, out, err } = thehood(["approve", runId, ...words]);
    if (code === 0) return out + err;
    expect(code, out + err).toBe(3);
  }
  throw new Error("The run did not end.");
}

describe("a run whose work goes out as a draft", () => {
  it("[B-40] names remote and branch at the gate, opens one draft after the approval, and finishes what gh refused", () => {
    const forge = openForgeDesk();
    const { runId } = forge.thehood(["run", "make add() add", "--pr-draft", ...asked]).json<{ runId: string }>();
    forge.set((state) => (state.broken = { "pr create": "HTTP 403: Resource not accessible" }));
    forge.thehood(["approve", runId]);
    const gate = forge.thehood(["show", runId, "--gate", "--verbose"]).out;
    expect(gate).toContain("pushed to make-add-add of origin (https://github.com/o/r.git)");
    expect(forge.calls()).toBe("");
    expect(approveAll(forge, runId)).toContain("HTTP 403");
    expect(forge.atRemote("refs/heads/make-add-add")).not.toBe("");
    forge.set((state) => (state.broken = {}));
    const went = forge.thehood(["continue", runId]);
    expect(went.out + went.err).toContain("draft pull request: https://github.com/o/r/pull/7");
    expect(forge.request()).toMatchObject({ branch: "make-add-add", draft: true });
    expect(eventsOf(forge, runId, "request_opened")).toHaveLength(1);
    setRequest(forge, { state: "closed" });
    forge.thehood(["continue", runId]);
    expect(count(forge.calls(), "pr create")).toBe(2);
  });

  it("[B-40] pushes nothing on autopilot unless the user's policy lets it", () => {
    const forge = openForgeDesk();
    const auto = ["--pr-draft", "--approvals", "autopilot", ...asked];
    const first = forge.thehood(["run", "make add() add", "--branch", "one", ...auto]);
    expect(first.err).toContain("no person approved the result");
    expect(forge.calls()).toBe("");
    expect(forge.atRemote("refs/heads/one")).toBe("");
    forge.thehood(["config", "set", "policy.autopilotMayPush", "true"]);
    const second = forge.thehood(["run", "make add() add", "--branch", "two", ...auto]);
    expect(second.err).toContain("draft pull request");
    expect(forge.atRemote("refs/heads/two")).not.toBe("");
    expect(forge.thehood(["run", "why?", "--mode", "research", ...auto]).out).toContain("Only a run that edits");
  });
});

describe("a remote that takes no push", () => {
  it("prints what git said and what to do, and the next try sends everything", () => {
    const forge = openForgeDesk();
    const { runId } = forge
      .thehood(["run", "make add() add", "--branch", "fix-add", "--approvals", "autopilot", ...asked])
      .json<{ runId: string }>();
    const hook = join(forge.remote, "hooks/pre-receive");
    writeFileSync(hook, "#!/bin/sh\necho 'You are not allowed to push here.' >&2\nexit 1\n", { mode: 0o755 });
    const refused = forge.thehood(["pr", runId, "--yes"]);
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain("origin did not take the push");
    expect(refused.err).toContain("git remote set-url --push origin URL");
    expect(forge.calls()).toBe("");
    expect(eventsOf(forge, runId, "request_opened")).toEqual([]);
    rmSync(hook);
    expect(forge.thehood(["pr", runId, "--yes", "--json"]).json()).toMatchObject({ created: true });
  });
});

describe("a crash on the way out", () => {
  it.each(["pr list", "pr create"])("after %s leads to one request, one push and one event", (words) => {
    const forge = openForgeDesk();
    const { runId } = forge
      .thehood(["run", "make add() add", "--branch", "fix-add", "--approvals", "autopilot", ...asked])
      .json<{ runId: string }>();
    forge.set((state) => (state.killAfter = words));
    expect(forge.thehood(["pr", runId, "--yes"]).code).toBeNull();
    const pushed = forge.atRemote("refs/heads/fix-add");
    forge.set((state) => (state.killAfter = "no such words"));
    const again = forge.thehood(["pr", runId, "--yes", "--json"]);
    expect(again.json(), again.err).toMatchObject({ url: "https://github.com/o/r/pull/7" });
    expect(count(forge.calls(), "pr create")).toBe(1);
    expect(forge.atRemote("refs/heads/fix-add")).toBe(pushed);
    expect(eventsOf(forge, runId, "request_opened")).toHaveLength(1);
    expect(forge.thehood(["log", "verify"]).code).toBe(0);
  });

  it("after the draft was marked as ready leaves the result recorded, and the next look agrees", () => {
    const forge = openForgeDesk();
    const { runId } = forge
      .thehood(["run", "make add() add", "--branch", "fix-add", "--approvals", "autopilot", ...asked])
      .json<{ runId: string }>();
    forge.thehood(["pr", runId, "--yes"]);
    setRequest(forge, { checks: [check("passed")] });
    forge.set((state) => (state.killAfter = "pr ready"));
    const watch = () => forge.thehood(["pr", "watch", runId, "--every", "1", "--ready", "--json"]);
    expect(watch().code).toBeNull();
    expect(watch().json()).toMatchObject({ state: "passed", draft: false });
    expect(count(forge.calls(), "pr ready")).toBe(1);
    expect(eventsOf(forge, runId, "ci_recorded")).toHaveLength(1);
  });
});

describe("thehood pr watch", () => {
  it("does not call work ready for a check that is faster than the others", () => {
    const forge = openForgeDesk();
    const { runId } = forge
      .thehood(["run", "make add() add", "--branch", "fix-add", "--approvals", "autopilot", ...asked])
      .json<{ runId: string }>();
    forge.thehood(["pr", runId, "--yes"]);
    setRequest(forge, { checks: [check("passed")], later: [{ name: "slow", result: "failed", job: 3 }] });
    const watched = forge.thehood(["pr", "watch", runId, "--every", "1", "--ready", "--json"]);
    expect(watched.json()).toMatchObject({ state: "failed", draft: true });
    expect(forge.request().draft).toBe(true);
  });

  it.each(["gh", "glab"] as const)("records a failure with its log, and marks green work as ready (%s)", (name) => {
    const forge = openForgeDesk(name);
    const { runId } = forge
      .thehood(["run", "make add() add", "--branch", "fix-add", "--approvals", "autopilot", ...asked])
      .json<{ runId: string }>();
    const watch = (...words: string[]) => forge.thehood(["pr", "watch", runId, "--every", "1", "--json", ...words]);
    expect(watch().out).toContain("no open pull request for fix-add");
    forge.thehood(["pr", runId, "--yes"]);
    expect(watch("--ready").json()).toMatchObject({ state: "none", draft: true });
    setRequest(forge, { checks: [check("failed")] });
    forge.set((state) => (state.logs["2"] = `boom ${token}\n`));
    const red = watch("--ready");
    expect(red.code).toBe(1);
    expect(red.json()).toMatchObject({ state: "failed", draft: true, next: "thehood run --pr 7" });
    expect(watch().code).toBe(1);
    const recorded = eventsOf(forge, runId, "ci_recorded");
    expect(recorded.map(({ ci }) => ci?.state)).toEqual(["none", "failed"]);
    const log = forge.thehood(["show", runId, "--artifact", recorded.at(-1)?.ci?.logs[0]?.ref ?? ""]).out;
    expect(log).toContain("boom");
    expect(log).not.toContain(token);
    setRequest(forge, { checks: [check("pending")] });
    const late = watch("--minutes", "0");
    expect(late.out).toContain("have not ended within 0 minutes");
    setRequest(forge, { checks: [check("passed")] });
    expect(watch("--ready").json()).toMatchObject({ state: "passed", draft: false });
    expect(forge.request().draft).toBe(false);
    const other = forge.desk.repo.git("commit-tree", "-m", "other", "-p", "fix-add", "main^{tree}").trim();
    forge.desk.repo.git("push", "-q", forge.remote, `${other}:refs/heads/fix-add`);
    expect(watch().out).toContain("Its checks are about other work");
    setRequest(forge, { state: "merged" });
    expect(watch().out).toContain("no open pull request");
    expect(forge.thehood(["log", "verify"]).code).toBe(0);
  });
});
