import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type EffectContext,
  type EffectOf,
  type EffectOutcome,
  FailureError,
  type ProviderPort,
  ackField,
  contractOfRole,
  makeAck,
} from "../../../core/contract/index.ts";
import { createRegistry, createStub, offer } from "../../../agents/index.ts";
import type { EffectDeps } from "../deps.ts";
import { callProvider, reattachCall } from "./call.ts";
import { memory, sceneDeps, secret } from "../../../../tests/support/effect-scene.ts";
import { makeRepository } from "../../../../tests/support/repository.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { watchGitFolder } from "../../../workspace/checkout/git-folder-watch/index.ts";

/** A repository with one commit, and the path of a hook that a worker could plant there. */
function checkout() {
  const { dir, git, remove } = makeRepository();
  onTestFinished(remove);
  const baseCommit = git("rev-parse", "HEAD").trim();
  return { root: dir, baseCommit, hook: join(dir, ".git/hooks/post-checkout") };
}

function scene(provider: ProviderPort, root?: string) {
  const { artifacts, kept } = memory();
  const steps: string[] = [];
  const watched: ProviderPort = {
    ...provider,
    send: (call, signal) => {
      steps.push("send");
      return provider.send(call, signal);
    },
  };
  const deps = sceneDeps({
    artifacts,
    providers: createRegistry([offer(watched)]),
    ...(root === undefined ? {} : { root, repository: requireRepository(root) }),
  });
  return { deps, steps, kept };
}

async function effectFor(
  deps: EffectDeps,
  options: unknown,
  role: "qa" | "implementer" = "qa",
  baseCommit = "abc",
): Promise<EffectOf<"call_provider">> {
  const directive = await deps.artifacts.put(JSON.stringify({ role }), {
    kind: "directive",
    mediaType: "application/json",
    summary: "d",
  });
  return {
    kind: "call_provider",
    readsTree: null,
    limits: { tokens: null, usd: null },
    key: "call:1",
    call: {
      callId: "call_000001",
      lane: "main",
      role,
      phase: role === "qa" ? "qa" : "implement",
      purpose: "loop",
      ordinal: 1,
      pass: 0,
      assignment: {
        assignment: "stub:default",
        provider: "stub",
        model: "default",
        identity: "stub:default",
        boundary: "local",
        modelBacked: false,
        edits: "worktree",
        source: "default",
        options,
      },
      contract: contractOfRole[role],
      workspace: role === "qa" ? "read_only" : "worktree",
      retryOf: null,
      sideId: null,
    },
    record: { redactions: 0, directive, ack: makeAck("run_000001", "nonce0001") },
    timeoutMs: 500,
    baseCommit,
  };
}

function contextFor(
  steps: string[],
  signal: AbortSignal = new AbortController().signal,
  refuse = false,
): EffectContext {
  return {
    runId: "run_000001",
    created: {} as EffectContext["created"],
    signal,
    began: () => Promise.resolve(),
    fence: () => Promise.resolve(),
    posted: (record) => {
      steps.push(`posted ${record.target}`);
      return refuse ? Promise.reject(new Error("lease lost")) : Promise.resolve();
    },
    progress: () => undefined,
  };
}

type Called = Extract<EffectOutcome, { kind: "call_provider" | "reattach_call" }>;

async function ask(script: object) {
  const { deps, steps, kept } = scene(createStub());
  const effect = await effectFor(deps, { roles: { qa: [script] } });
  const outcome = (await callProvider(deps, effect, contextFor(steps))) as Called;
  const texts = [...kept.values()].map(({ bytes }) => Buffer.from(bytes).toString());
  return {
    outcome: outcome.outcome,
    called: outcome,
    steps,
    texts,
    kinds: [...kept.values()].map(({ kind }) => kind),
  };
}

describe("asking a provider", () => {
  it("[R-20] records the call before anything is sent", async () => {
    const { steps, outcome } = await ask({});
    expect(steps).toEqual(["posted stub:default", "send"]);
    expect(outcome.result).toBe("answered");
  });

  it("sends nothing when the record cannot be written", async () => {
    const { deps, steps } = scene(createStub());
    const call = callProvider(deps, await effectFor(deps, {}), contextFor(steps, undefined, true));
    await expect(call).rejects.toThrow("lease lost");
    expect(steps).not.toContain("send");
  });

  it("[B-16] sends nothing when the fence is shut, although the record was written", async () => {
    const { deps, steps } = scene(createStub());
    const fence = () => Promise.reject(new Error("lease lost"));
    const call = callProvider(deps, await effectFor(deps, {}), { ...contextFor(steps), fence });
    await expect(call).rejects.toThrow("lease lost");
    expect(steps).toEqual(["posted stub:default"]);
  });

  it("[R-21] tells a refused answer with its reason and keeps what came", async () => {
    expect((await ask({ ack: "stale" })).outcome).toMatchObject({
      result: "refused",
      refusal: { reason: "ack_stale" },
    });
    expect((await ask({ raw: "no" })).outcome).toMatchObject({ result: "refused", ref: { kind: "log" } });
    expect((await ask({ oversizeBytes: 1_200_000 })).outcome).toMatchObject({
      result: "refused",
      refusal: { reason: "oversize" },
    });
  });

  it("tells silence, a crash and an absent provider apart", async () => {
    expect((await ask({ behave: "silent" })).outcome).toMatchObject({ result: "failed", timedOut: true });
    expect((await ask({ behave: "crash" })).outcome).toMatchObject({ result: "failed", timedOut: false });
    expect((await ask({ behave: "unavailable" })).outcome).toMatchObject({
      result: "not_sent",
      remedy: "Change its script.",
    });
  });

  it("a call that is stopped is in doubt", async () => {
    const { deps, steps } = scene(createStub());
    const controller = new AbortController();
    const call = callProvider(
      deps,
      await effectFor(deps, { roles: { qa: [{ behave: "silent" }] } }),
      contextFor(steps, controller.signal),
    );
    controller.abort();
    expect(((await call) as Called).outcome).toMatchObject({ result: "in_doubt" });
  });

  it("[R-23] parses what came, and stores it redacted: an answer after a key in the output is still read", async () => {
    const payload = JSON.stringify({ verdict: "pass", summary: `saw ${secret}`, [ackField]: "{{ack}}" });
    const raw = `API_KEY=abc{"status":"ok","summary":"used ${secret}","data":{"qaResult":${payload}}}`;
    const { outcome, texts } = await ask({ raw, stdout: `token ${secret}`, stderr: "warn" });
    expect(outcome).toMatchObject({ result: "answered", response: { payload: { verdict: "pass" } } });
    expect(JSON.stringify(outcome)).not.toContain(secret);
    expect(texts.join("\n")).not.toContain(secret);
  });

  it.each([
    ["no answer of ours", { raw: `I saw ${secret} and stop here` }, "refused"],
    [
      "an answer with the secret as the name of a field",
      {
        raw: `{"status":"ok","summary":"x","data":{"qaResult":{"verdict":"pass","summary":"s","${ackField}":"{{ack}}","${secret}":1}}}`,
      },
      "refused",
    ],
    ["a crash that prints it", { behave: "crash" }, "failed"],
  ])("[S-3] %s leaves no secret in the log or in an artifact", async (_, script, result) => {
    const { outcome, texts } = await ask({ ...script, stderr: `token ${secret}` });
    expect(outcome.result).toBe(result);
    expect(JSON.stringify(outcome)).not.toContain(secret);
    expect(texts.join("\n")).not.toContain(secret);
  });

  it.each([
    ["failed", "failed"],
    ["timed_out", "failed"],
    ["oversize", "refused"],
  ] as const)("[S-3] the words of a provider whose answer %s are kept without a secret", async (outcome, result) => {
    const failing: ProviderPort = {
      ...createStub(),
      send: () =>
        Promise.resolve({
          answer: Promise.resolve({ outcome, text: "", error: `rejected key ${secret}` }),
        }) as ReturnType<ProviderPort["send"]>,
    };
    const { deps, steps, kept } = scene(failing);
    const called = (await callProvider(deps, await effectFor(deps, {}), contextFor(steps))) as Called;
    expect(called.outcome.result).toBe(result);
    expect(JSON.stringify(called)).toContain("rejected key");
    expect(
      JSON.stringify([called, ...[...kept.values()].map(({ bytes }) => Buffer.from(bytes).toString())]),
    ).not.toContain(secret);
  });

  it("[S-3] nor does the reason why nothing was sent hold one", async () => {
    const refusing: ProviderPort = {
      ...createStub(),
      send: () =>
        Promise.reject(
          new FailureError({ code: "provider_unavailable", message: `bad key ${secret}`, remedy: secret }),
        ),
    };
    const { deps, steps } = scene(refusing);
    const called = (await callProvider(deps, await effectFor(deps, {}), contextFor(steps))) as Called;
    expect(called.outcome).toMatchObject({ result: "not_sent", why: expect.stringContaining("bad key") });
    expect(JSON.stringify(called)).not.toContain(secret);
  });

  it("[S-3] a refused answer is kept, with a word in place of its secret", async () => {
    const { outcome, texts } = await ask({ raw: `I saw ${secret} and stop here` });
    expect(outcome).toMatchObject({ result: "refused", ref: { kind: "log" } });
    expect(texts.some((text) => text.startsWith("I saw ") && text.endsWith(" and stop here"))).toBe(true);
  });

  it("[R-23] a local agent command leaves redacted logs and one record of how it ran", async () => {
    const { called, texts, kinds } = await ask({ stdout: "out", stderr: "err", exitCode: 0 });
    expect(called.artifacts.map(({ kind }) => kind)).toEqual(["log", "log", "provider_invocation"]);
    expect(kinds).toContain("provider_invocation");
    const record: unknown = JSON.parse(texts.find((text) => text.includes("local_agent_execution")) ?? "{}");
    expect(record).toMatchObject({
      role: "qa",
      provider: "stub",
      exitCode: 0,
      timedOut: false,
      stdoutLength: 3,
      stderrLength: 3,
      responseParsed: true,
      workspaceMode: "read_only",
      commandMode: "read-only",
    });
  });

  it("[R-23] the record tells a command that may edit from one that reads", async () => {
    const { root, baseCommit } = checkout();
    const { deps, steps, kept } = scene(createStub(), root);
    const script = { roles: { implementer: [{ stdout: "out", stderr: "err", exitCode: 0 }] } };
    await callProvider(deps, await effectFor(deps, script, "implementer", baseCommit), contextFor(steps));
    const texts = [...kept.values()].map(({ bytes }) => Buffer.from(bytes).toString());
    const record: unknown = JSON.parse(texts.find((text) => text.includes("local_agent_execution")) ?? "{}");
    expect(record).toMatchObject({ role: "implementer", commandMode: "edit-capable", toolPermissions: { edit: true } });
  });

  it("[R-23] the record names every fact of the command, and its arguments are redacted", async () => {
    const stub = createStub();
    const invocation = {
      command: "/usr/bin/agent",
      args: ["exec", "--header", `Authorization: Bearer ${secret}`, "--json"],
      sandbox: "bubblewrap",
      permissionMode: "read-only",
      exitCode: null,
      signal: "SIGKILL" as const,
      stdout: Buffer.from("partial"),
      stderr: Buffer.from(`key ${secret}\n`),
      denials: [`curl ${secret}`],
    };
    const provider: ProviderPort = {
      ...stub,
      send: async () => ({
        answer: Promise.resolve({
          outcome: "timed_out" as const,
          text: "",
          error: "no answer in time",
          durationMs: 1_234,
          invocation,
        }),
      }),
    };
    const { deps, steps, kept } = scene(provider);
    const effect = await effectFor(deps, {});
    const called = (await callProvider(deps, effect, contextFor(steps))) as Called;
    const texts = [...kept.values()].map(({ bytes }) => Buffer.from(bytes).toString());
    expect(texts.join("\n")).not.toContain(secret);
    const [stdout, stderr] = called.artifacts;
    expect(JSON.parse(texts.find((text) => text.includes("local_agent_execution")) ?? "{}")).toMatchObject({
      runId: "run_000001",
      callId: "call_000001",
      role: "qa",
      provider: "stub",
      model: "default",
      command: "/usr/bin/agent",
      args: ["exec", "--header", expect.stringMatching(/^Authorization:.*\*\*\*REDACTED\*\*\*$/) as string, "--json"],
      workspaceMode: "read_only",
      sandbox: "bubblewrap",
      permissionMode: "read-only",
      toolPermissions: { edit: false },
      durationMs: 1_234,
      timeoutMs: 500,
      exitCode: null,
      signal: "SIGKILL",
      timedOut: true,
      stdoutLength: 7,
      stderrLength: invocation.stderr.length,
      stdoutRef: stdout?.ref,
      stderrRef: stderr?.ref,
      responseParsed: false,
      responseStatus: "failed",
      patchArtifact: null,
      denials: ["curl ***REDACTED***"],
    });
  });

  it("counts the tokens the provider tells, and estimates when it does not", async () => {
    expect((await ask({ usage: { inputTokens: 7, outputTokens: 3 } })).called.usage).toEqual({
      inputTokens: 7,
      outputTokens: 3,
      estimated: false,
    });
    expect((await ask({})).called.usage.estimated).toBe(true);
  });

  it("[R-30] a worker that touched the shared git folder has failed, whatever it answers", async () => {
    const { root, baseCommit, hook } = checkout();
    const { deps, steps } = scene(createStub(), root);
    const edits = [{ op: "hook", name: "post-checkout", text: "#!/bin/sh\n" }];
    const script = { roles: { implementer: [{ edits }] } };
    const effect = await effectFor(deps, script, "implementer", baseCommit);
    const { outcome } = (await callProvider(deps, effect, contextFor(steps))) as Called;
    expect(outcome).toMatchObject({ result: "failed", why: expect.stringContaining("hooks/post-checkout") });
    expect(existsSync(hook)).toBe(false);
  });

  it("a diff in the answer that does not fit is a failure, not silence", async () => {
    const { root, baseCommit } = checkout();
    const { deps, steps } = scene(createStub(), root);
    const patch = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-other\n+two\n";
    const script = { roles: { implementer: [{ edits: [], patch }] } };
    const effect = await effectFor(deps, script, "implementer", baseCommit);
    const { outcome } = (await callProvider(deps, effect, contextFor(steps))) as Called;
    expect(outcome).toMatchObject({ result: "failed", why: expect.stringContaining("context_mismatch") });
  });
});

describe("a call of a process that is gone", () => {
  const posted = { handle: null as string | null, promptSha256: "", target: "stub:default" };
  const again = async (deps: EffectDeps, handle: string | null): Promise<EffectOf<"reattach_call">> => ({
    ...(await effectFor(deps, {})),
    kind: "reattach_call",
    posted: { ...posted, handle },
  });

  it("is in doubt when its answer cannot be found, and is never sent again", async () => {
    const { deps, steps } = scene(createStub());
    const outcome = (await reattachCall(deps, await again(deps, null), contextFor(steps))) as Called;
    expect(outcome.outcome.result).toBe("in_doubt");
    expect(steps).toEqual([]);
  });

  it("[R-30] that was a worker has git's folder put back before anything else runs there", async () => {
    const { root, baseCommit, hook } = checkout();
    const { deps, steps } = scene(createStub(), root);
    watchGitFolder(requireRepository(root), "run_000001");
    writeFileSync(hook, "#!/bin/sh\n");
    const worker = async (role: "qa" | "implementer") => ({
      ...(await effectFor(deps, {}, role, baseCommit)),
      kind: "reattach_call" as const,
      posted,
    });
    await reattachCall(deps, await worker("qa"), contextFor(steps));
    expect(existsSync(hook)).toBe(true);
    await reattachCall(deps, await worker("implementer"), contextFor(steps));
    expect(existsSync(hook)).toBe(false);
  });

  it("is waited for by a provider that can find it again", async () => {
    const stub = createStub();
    const able: ProviderPort = {
      ...stub,
      reattach: (handle, call, signal) => (handle === "h1" ? stub.send(call, signal) : Promise.resolve(undefined)),
    };
    const { deps, steps } = scene(able);
    const found = (await reattachCall(deps, await again(deps, "h1"), contextFor(steps))) as Called;
    expect(found.outcome.result).toBe("answered");
    const lost = (await reattachCall(deps, await again(deps, "h2"), contextFor(steps))) as Called;
    expect(lost.outcome.result).toBe("in_doubt");
    expect(steps).not.toContain("send");
  });
});

describe("[S-12] an agent that is no longer the one the run froze", () => {
  const changed = (port: Partial<ProviderPort>, traits: Partial<ProviderPort["traits"]> = {}) => {
    const stub = createStub();
    return { ...stub, ...port, traits: { ...stub.traits, ...traits } };
  };

  it.each([
    ["another model", changed({ resolve: () => ({ ok: true, identity: "stub:other" }) }), "stub:other"],
    ["another place", changed({}, { boundary: "external" }), "boundary"],
    ["another allowance", changed({}, { reads: { calls: 1, bytes: 1 } }), "read more"],
    ["no agent", changed({ resolve: () => ({ ok: false, problem: "gone", remedy: "" }) }), "gone"],
  ])("because its name now means %s, is not asked", async (_, provider, why) => {
    const { deps, steps } = scene(provider);
    const called = (await callProvider(deps, await effectFor(deps, {}), contextFor(steps))) as Called;
    expect(called.outcome).toMatchObject({ result: "not_sent", why: expect.stringContaining(why) });
    expect(steps).toEqual([]);
  });
});
