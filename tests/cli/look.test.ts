// Looking at runs through the real program: what others wrote cannot repaint the screen, and nothing is cut without a word.
import { existsSync, openSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { bin, fixing, openTestDesk, stub } from "./program.ts";
import { waitUntil } from "../support/wait-until.ts";

const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

describe("what is shown", () => {
  it("an artifact of the newest run needs no run, and one value of the configuration is shown with its origin", () => {
    const { thehood } = openTestDesk();
    thehood(["teams", "apply", "stub"]);
    thehood(["run", "look around", "--mode", "plan", "--approvals", "autopilot", "--json"]);
    const [first] = thehood(["show", "--json"]).json<{ artifacts: { ref: string }[] }>().artifacts;
    const alone = thehood(["artifact", first?.ref ?? "", "--json"]);
    expect(alone.code, alone.err).toBe(0);
    expect(alone.json()).toMatchObject({ ref: first?.ref });
    expect(thehood(["config", "get", "policy.approvals", "--json"]).json()).toMatchObject({
      value: "manual",
      from: "default",
    });
    expect(thehood(["config", "get", "policy.nothing"]).code).toBe(2);
    expect(thehood(["config", "get", "policy.budgets.maxTokns"]).err).toContain(
      "did you mean policy.budgets.maxTokens?",
    );
    thehood(["config", "set", "policy.fanoutParallel", "2"]);
    expect(thehood(["config", "get", "policy.fanoutParallel", "--json"]).json()).toMatchObject({ value: 2 });
  });

  it("shows the same status from the stored snapshot of a resting run as from its events", () => {
    const desk = openTestDesk();
    desk.thehood(["run", "look around", "--mode", "plan", "--team", "stub", "--approvals", "autopilot"]);
    desk.thehood(["run", "fix", "--team", "stub", ...stub(fixing)]);
    const runs = desk.thehood(["runs", "--json"]).json<{ runs: { runId: string }[] }>().runs;
    const shown = () => runs.map(({ runId }) => desk.thehood(["status", runId, "--json"]).json());
    const stored = shown();
    const database = new DatabaseSync(join(desk.repo.dir, ".git/thehood/store.db"));
    expect(database.prepare("SELECT count(snapshot) AS n FROM runs").get()).toMatchObject({ n: 2 });
    database.exec("UPDATE runs SET snapshot = NULL");
    database.close();
    expect(stored).toHaveLength(2);
    expect(shown()).toEqual(stored);
  });

  it("[S-4] carries no escape and no bidi character of a goal or an answer", () => {
    const desk = openTestDesk();
    const said = "hi \u001b[2J\u202e boo \u0007";
    const goal = `fix \u001b[31madd\u001b[0m \u202e now\nsecond line`;
    const script = { ...fixing, roles: { ...fixing.roles, planner: [{ summary: said }] } };
    const ran = desk.thehood(["run", goal, "--team", "stub", ...stub(script)]);
    expect(ran.code).toBe(3);
    expect(ran.out + ran.err).not.toMatch(unsafe);
    for (const args of [["status"], ["runs"], ["show"], ["logs"], ["log", "verify"]])
      expect(desk.thehood(args).out, args.join(" ")).not.toMatch(unsafe);
  });

  it("names a way to the rest of a gate that is longer than a screen, and that way shows it", () => {
    const desk = openTestDesk();
    const text = Array.from({ length: 200 }, (_, line) => `line ${line}\n`).join("");
    const script = { roles: { implementer: [{ edits: [{ op: "write", path: "long.txt", text }] }] } };
    desk.thehood(["run", "write", "--team", "stub", ...stub(script)]);
    const short = desk.thehood(["approve"]).out;
    const [, command = ""] = /covers: thehood (status \S+ --verbose)/.exec(short) ?? [];
    expect(short).not.toContain("+line 199");
    expect(desk.thehood(command.split(" ")).out).toContain("+line 199");
  });

  it("[R-12] [R-22] is what was asked for: the plan, also at the gate it waits at, the answer, the summoned opinion", () => {
    const desk = openTestDesk();
    const payload = { markdown: "# Plan\n\n1. Read\u001b[2J it\n", acceptanceCriteria: ["it is read"] };
    const script = { roles: { planner: [{ summary: "One step.", payload }] } };
    const begin = ["split", "--team", "stub", ...stub(script)];
    for (const { out } of [
      desk.thehood(["plan", ...begin]),
      desk.thehood(["report"]),
      desk.thehood(["run", ...begin]),
    ]) {
      expect(out).toContain("1. Read it");
      expect(out).toContain("- it is read");
    }
    const concerns = { payload: { blockingConcerns: ["two writers"], verdict: "needs_revision" } };
    const asked = desk.thehood(["run", ...begin.slice(0, 3), ...stub({ summons: { critic: [concerns] } })]);
    expect(asked.code).toBe(3);
    expect(desk.thehood(["summon", "--role", "critic", "--brief", "races?"]).out).toContain("- two writers");
  });

  it("[R-22] a long answer is shown in part, with the reference to all of it", () => {
    const desk = openTestDesk();
    const markdown = Array.from({ length: 2_000 }, (_, line) => `line ${line}`).join("\n");
    const script = { roles: { planner: [{ summary: "Long.", payload: { markdown } }] } };
    const { runId } = desk
      .thehood(["plan", "x", "--team", "stub", "--json", ...stub(script)])
      .json<{ runId: string }>();
    const { said } = desk
      .thehood(["status", runId, "--json"])
      .json<{ said: { summary: string; preview: string; truncated: boolean; ref: string } }>();
    expect(said).toMatchObject({ summary: "Long.", truncated: true });
    expect(said.preview.length).toBeLessThan(4_096);
    expect(said.preview).toContain("line 1");
    expect(said.preview).not.toContain("line 1999");
    expect(desk.thehood(["artifact", runId, said.ref]).out).toContain("line 1999");
  });

  it("[R-14] [R-45] a budget that is used up: the command that is offered extends it, and the run goes on", () => {
    const desk = openTestDesk();
    const begin = ["run", "x", "--team", "stub", "--approvals", "autopilot", "--max-tokens", "5000", "--json"];
    const { next } = desk.thehood([...begin, ...stub(fixing)]).json<{ next: { kind: string; command: string }[] }>();
    const offered = next.find(({ kind }) => kind === "continue_with_approval")?.command ?? "";
    expect(offered).toContain("--add-tokens 5000");
    const went = desk.thehood(offered.split(" ").slice(1));
    expect(went.err).toContain("The token budget is used up: extend");
    expect(went.err).toContain("Implementer");
  });

  it("[R-6] a verifier's question is laid open at the gate where you answer it", () => {
    const desk = openTestDesk();
    const question = { verdict: "ask_user", summary: "s", failedCriteria: [], risks: ["is 0 a duration?"] };
    const script = { roles: { ...fixing.roles, verifier: [{ payload: question }] } };
    const ran = desk.thehood(["run", "x", "--team", "stub", "--approvals", "autopilot", ...stub(script)]);
    expect(ran.code).toBe(3);
    expect(ran.out).toContain("is 0 a duration?");
    expect(ran.out).toContain("+export const add");
    // The work is taken without the verifier's approval: the run completes, and says so by its exit code.
    const taken = desk.thehood(["approve", "--accept", "--json"]);
    expect(taken.code).toBe(9);
    expect(taken.json()).toMatchObject({ state: "completed", stopReason: "completed_with_doubts" });
  });

  it("an artifact that is no text comes whole with --json", () => {
    const desk = openTestDesk();
    const edits = [{ op: "write", path: "raw.txt", base64: Buffer.from("latin \xe9\n", "latin1").toString("base64") }];
    desk.thehood(["run", "write", "--team", "stub", ...stub({ roles: { implementer: [{ edits }] } })]);
    desk.thehood(["approve"]);
    const { runId, ref } = desk.thehood(["diff", "--json"]).json<{ runId: string; ref: string }>();
    const found = desk.thehood(["artifact", runId, ref, "--json"]).json<{ encoding: string; content: string }>();
    expect(found.encoding).toBe("base64");
    expect(Buffer.from(found.content, "base64").toString("latin1")).toContain("+latin \xe9");
  });
});

describe("naming a run", () => {
  it("takes any unique beginning of its id, and says which runs wait when it is not clear which is meant", () => {
    const desk = openTestDesk();
    const { runId } = desk.thehood(["run", "x", "--team", "stub", "--json"]).json<{ runId: string }>();
    for (const name of [runId.slice(0, 5), runId.slice(0, 9), runId.slice(4), runId])
      expect(desk.thehood(["status", name, "--json"]).json(), name).toMatchObject({ runId });
    expect(desk.thehood(["status", "run_zzz"]).err).toContain("There is no run run_zzz");
    const second = desk.thehood(["run", "z", "--team", "stub", "--json"]).json<{ runId: string }>();
    desk.thehood(["plan", "y", "--team", "stub"]);
    const refused = desk.thehood(["approve"]);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain(`These wait for you, name one: ${second.runId}, ${runId}`);
    expect(desk.thehood(["status", runId.slice(0, 5)]).err).toContain("is the beginning of 3 runs");
  });
});

describe("watch", () => {
  it("says what a run waits for, with the command, and goes on looking", async () => {
    const desk = openTestDesk();
    desk.thehood(["run", "x", "--team", "stub"]);
    const child = desk.spawn(["watch"]);
    let said = "";
    child.stderr?.on("data", (chunk) => (said += String(chunk)));
    const ended = new Promise<void>((done) => child.once("exit", () => done()));
    for (let turn = 0; turn < 2_400 && !said.includes("thehood status"); turn += 1) await pause(50);
    expect(said).toContain("waiting for you: Start editing in an isolated worktree");
    desk.thehood(["abort"]);
    await ended;
    expect(child.exitCode).toBe(0);
  });
});

describe("a run whose process is gone", () => {
  it("is no longer watched: watch says so, with the command that continues it", async () => {
    const desk = openTestDesk();
    const script = { roles: { planner: [{ delayMs: 60_000 }] } };
    const worker = desk.spawn(["run", "x", "--team", "stub", ...stub(script)]);
    const gone = new Promise<void>((done) => worker.once("exit", () => done()));
    await waitUntil(() => desk.thehood(["status"]).out.includes("works as planner"), "the planner is asked");
    const watching = desk.spawn(["watch"]);
    let said = "";
    watching.stderr?.on("data", (chunk) => (said += String(chunk)));
    const ended = new Promise<void>((done) => watching.once("exit", () => done()));
    worker.kill("SIGKILL");
    await gone;
    await ended;
    expect(watching.exitCode).toBe(0);
    expect(said).toMatch(/no process works on it → thehood continue run_/);
  });

  it("is shown as stopped, with the command that continues it; while a process works on it, as that", async () => {
    const desk = openTestDesk();
    const script = { roles: { planner: [{ delayMs: 60_000 }] } };
    const child = desk.spawn(["run", "x", "--team", "stub", ...stub(script)]);
    const ended = new Promise<void>((done) => child.once("exit", () => done()));
    const rows = () => desk.thehood(["status", "--json"]).json<{ runs: { runId: string; doing: string }[] }>().runs;
    await waitUntil(() => rows()[0]?.doing.includes("works as planner") === true, "the planner is asked");
    const runId = rows()[0]?.runId ?? "";
    expect(desk.thehood(["status", runId, "--json"]).json()).toMatchObject({ working: true });
    expect(rows()).toMatchObject([{ next: `thehood watch ${runId}` }]);
    child.kill("SIGKILL");
    await ended;
    expect(rows()).toMatchObject([{ doing: "stopped: no process works on it", next: `thehood continue ${runId}` }]);
    const shown = desk.thehood(["status", runId, "--json"]).json<{ next: { command: string }[] }>();
    expect(shown).toMatchObject({
      working: false,
      monitor: { doing: expect.stringContaining("no process works") },
    });
    expect(shown.next.map(({ command }) => command)).toEqual([`thehood continue ${runId}`]);
    expect(desk.thehood(["show", runId]).out).toContain("no process works");
    expect(desk.thehood(["continue", runId]).out).toContain("whether it was answered is not known");
  });
});

describe.skipIf(!existsSync("/dev/full"))("output that cannot be written", () => {
  it("is no success", () => {
    const desk = openTestDesk();
    const full = openSync("/dev/full", "w");
    const ran = spawnSync(process.execPath, [bin, "--help"], {
      env: desk.env,
      stdio: ["ignore", full, "pipe"],
    });
    expect(ran.status).toBe(1);
    expect(String(ran.stderr)).toContain("could not be written");
  });
});
