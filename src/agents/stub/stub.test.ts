import { existsSync, lstatSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { plainGit } from "../../../tests/support/repository.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { providerCall } from "../../../tests/support/provider-call.ts";
import { type AskedRole, type ProviderCall, contractOfRole, readResponse } from "../../core/contract/index.ts";
import { providerConformance, titleOf } from "../../../tests/support/conformance/index.ts";
import { createRegistry, offer } from "../registry/index.ts";
import { createStub, parseStubScript } from "./index.ts";

const folder = () => tempFolder("stub-");
const signal = new AbortController().signal;
const stub = createStub();

function call(role: AskedRole, options: unknown, more: Partial<ProviderCall> = {}): ProviderCall {
  const directive = { variables: { run: { userGoal: "make it stable" } } };
  return providerCall(role, { prompt: "", directive, timeoutMs: 1_000, options, ...more });
}

async function ask(asked: ProviderCall) {
  const answer = await (await stub.send(asked, signal)).answer;
  return { answer, read: readResponse(asked.contract, answer.text, asked.ack) };
}

describe("the stub joins the provider conformance suite", () => {
  const all = (step: object) => ({
    roles: Object.fromEntries(Object.keys(contractOfRole).map((role) => [role, [step]])),
  });
  const scene = (step: object) => () => ({ provider: stub, model: "default", options: all(step) });
  const noProgram = { cannot: "the stub is not a program and asks no server" };
  const cases = providerConformance({
    scenes: {
      answers: scene({}),
      edits: scene({ edits: [{ op: "write", path: "hello.txt", text: "hello\n" }] }),
      refuses: scene({ raw: "I cannot help with that." }),
      garbage: scene({ raw: "{]" }),
      staleAck: scene({ ack: "stale" }),
      oversize: scene({ oversizeBytes: 20_000 }),
      silent: scene({ behave: "silent" }),
      stallsMidStream: { cannot: "the stub gives its answer in one piece" },
      exitsAtOnce: scene({ behave: "crash" }),
      exitsUnread: scene({ behave: "crash" }),
      crashesMidStream: scene({ behave: "crash", stdout: '{"status":"ok"' }),
      busyOnce: noProgram,
      overloadedOnce: noProgram,
      alwaysBusy: noProgram,
      loginMissing: { cannot: "the stub needs no login" },
      absent: scene({ behave: "unavailable" }),
    },
    typo: { cannot: "the stub plays under any name" },
  });
  for (const one of cases) it.skipIf(one.skip !== undefined)(titleOf(one), () => one.run());
});

describe("a scripted stub", () => {
  it("[R-25] plays every verdict of every reviewing role", async () => {
    const verdicts = {
      qa: ["pass", "needs_revision", "needs_more_evidence", "blocked"],
      verifier: ["approve", "revise", "abort", "ask_user"],
      critic: ["acceptable", "needs_revision", "unsafe", "unclear"],
    } as const;
    for (const role of ["qa", "verifier", "critic"] as const)
      for (const verdict of verdicts[role]) {
        const { read } = await ask(call(role, { roles: { [role]: [{ payload: { verdict } }] } }));
        expect(read).toMatchObject({ ok: true, response: { payload: { verdict } } });
      }
  });

  it("[R-25] gives the same bytes for the same call", async () => {
    const [first, second] = [await ask(call("planner", {})), await ask(call("planner", {}))];
    expect(first.answer.text).toBe(second.answer.text);
  });

  it("as a verifier by default believes the recorded checks of the work, not those of the base", async () => {
    const verdict = async (checks: object[]) => {
      const directive = { variables: { context: { work: { checks } } } };
      const { read } = await ask(call("verifier", {}, { directive }));
      return read.ok && "verdict" in read.response.payload ? read.response.payload.verdict : undefined;
    };
    expect(await verdict([{ variant: "patched", result: "failed" }])).toBe("revise");
    expect(
      await verdict([
        { variant: "base", result: "failed" },
        { variant: "patched", result: "passed" },
      ]),
    ).toBe("approve");
  });

  it("takes the n-th step for the n-th call and its default afterwards", async () => {
    const script = { roles: { qa: [{ payload: { verdict: "needs_revision" } }] } };
    expect((await ask(call("qa", script))).read).toMatchObject({
      response: { payload: { verdict: "needs_revision" } },
    });
    expect((await ask(call("qa", script, { ordinal: 2 }))).read).toMatchObject({
      response: { payload: { verdict: "pass" } },
    });
    const forever = { ...script, repeatLast: true };
    expect((await ask(call("qa", forever, { ordinal: 9 }))).read).toMatchObject({
      response: { payload: { verdict: "needs_revision" } },
    });
  });

  it("[R-21] can answer with a missing, stale or foreign marker and with plain nonsense", async () => {
    const reason = async (step: object) => {
      const { read } = await ask(call("qa", { roles: { qa: [step] } }));
      return read.ok ? "accepted" : read.refusal.reason;
    };
    expect(await reason({ ack: "missing" })).toBe("ack_missing");
    expect(await reason({ ack: "stale" })).toBe("ack_stale");
    expect(await reason({ ack: "foreign" })).toBe("ack_foreign");
    expect(await reason({ raw: "All good, trust me." })).toBe("not_json");
    expect(await reason({ payload: { verdict: null } })).toBe("schema");
    expect(await reason({ wrap: "prose" })).toBe("accepted");
  });

  it("reports the usage of its script and a diff instead of edits", async () => {
    const step = { usage: { inputTokens: 7, outputTokens: 3 }, patch: "diff --git a/x b/x\n" };
    const { answer } = await ask(call("implementer", { roles: { implementer: [step] } }));
    expect(answer.usage).toEqual({ inputTokens: 7, outputTokens: 3 });
    expect(new TextDecoder().decode(answer.patch)).toBe("diff --git a/x b/x\n");
  });

  it("keeps summons and reconciliation apart from the loop", async () => {
    const script = {
      roles: { critic: [{ payload: { verdict: "unsafe" } }] },
      summons: { critic: [{ payload: { verdict: "unclear" } }] },
      reconcile: [{ payload: { status: "partial" } }],
    };
    expect((await ask(call("critic", script, { purpose: "summon" }))).read).toMatchObject({
      response: { payload: { verdict: "unclear" } },
    });
    const reconcile = call("planner", script, { purpose: "reconcile", contract: "reconciliation_result" });
    expect((await ask(reconcile)).read).toMatchObject({ response: { payload: { status: "partial" } } });
  });

  it("edits a worktree as workers do: bytes, modes, links, stages, commits, planted hooks", async () => {
    const dir = folder();
    plainGit(dir, "init", "-q");
    const edits = [
      { op: "write", path: "a/b.txt", text: "one\n" },
      { op: "write", path: "bin.dat", base64: Buffer.from([0, 255, 233]).toString("base64") },
      { op: "write", path: "run.sh", text: "#!/bin/sh\n", mode: "755" },
      { op: "commit", message: "work" },
      { op: "replace", path: "a/b.txt", find: "one", with: "two" },
      { op: "rename", from: "run.sh", to: "go.sh" },
      { op: "symlink", path: "link", target: "/nowhere/canary" },
      { op: "stage" },
      { op: "append", path: "a/b.txt", text: "three\n" },
      { op: "delete", path: "bin.dat" },
      { op: "hook", name: "post-checkout", text: "#!/bin/sh\n" },
      { op: "config", key: "core.fsmonitor", value: "./evil" },
    ];
    const workspace = { mode: "worktree", dir } as const;
    const { answer } = await ask(call("implementer", { roles: { implementer: [{ edits }] } }, { workspace }));
    expect(answer.error).toBeUndefined();
    expect(readFileSync(join(dir, "a/b.txt"), "utf8")).toBe("two\nthree\n");
    expect(existsSync(join(dir, "bin.dat"))).toBe(false);
    expect(statSync(join(dir, "go.sh")).mode & 0o777).toBe(0o755);
    expect(lstatSync(join(dir, "link")).isSymbolicLink()).toBe(true);
    expect(readlinkSync(join(dir, "link"))).toBe("/nowhere/canary");
    expect(plainGit(dir, "log", "--format=%s")).toBe("work\n");
    expect(plainGit(dir, "diff", "--cached", "--name-only")).toContain("a/b.txt");
    expect(existsSync(join(dir, ".git/hooks/post-checkout"))).toBe(true);
    expect(plainGit(dir, "config", "core.fsmonitor")).toBe("./evil\n");
  });

  it("a script that does not fit the worktree is a failed call, not an exception", async () => {
    const step = { edits: [{ op: "replace", path: "no.txt", find: "a", with: "b" }] };
    const workspace = { mode: "worktree", dir: folder() } as const;
    const { answer } = await ask(call("implementer", { roles: { implementer: [step] } }, { workspace }));
    expect(answer).toMatchObject({ outcome: "failed" });
  });

  it("a typo in a script is reported with its place", () => {
    expect(() => parseStubScript({ roles: { qa: [{ verdit: "pass" }] } })).toThrow(/roles\.qa\.0.*verdit/);
    expect(() => parseStubScript({ rolls: {} })).toThrow(/rolls/);
  });
});

describe("the registry", () => {
  const registry = createRegistry([offer(stub)]);
  it("[R-5] finds provider, model and identity of an assignment", async () => {
    expect(await registry.resolve("stub:verifier")).toMatchObject({
      model: "verifier",
      identity: "stub:verifier",
    });
  });
  it("says which providers there are when one is unknown", async () => {
    await expect(registry.resolve("codex-cli:default")).rejects.toThrow(/no provider "codex-cli"/);
    await expect(registry.resolve("stub")).rejects.toThrow(/not an assignment/);
  });
  it("makes a provider when it is first asked for, and once", async () => {
    let made = 0;
    const late = createRegistry([
      { id: "stub", make: () => Promise.resolve(stub) },
      { id: "late", make: () => ((made += 1), Promise.resolve({ ...stub, id: "late" })) },
    ]);
    await late.resolve("stub:default");
    expect(made).toBe(0);
    await Promise.all([late.get("late"), late.list(), late.list(new Set(["late"]))]);
    expect(made).toBe(1);
  });
});
