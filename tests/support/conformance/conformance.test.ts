// A suite is worth what it catches: providers that break one promise each, and the case that must say so.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  FailureError,
  type ProviderAnswer,
  type ProviderCall,
  type ProviderPort,
} from "../../../src/core/contract/index.ts";
import { createStub, stubAnswer } from "../../../src/agents/stub/index.ts";
import { type SceneMaker, type SceneName, providerConformance, sceneNames } from "./index.ts";

const stub = createStub();

type Act = (call: ProviderCall, signal: AbortSignal) => Promise<Partial<ProviderAnswer>>;

/** A provider that does in one scene what it should not, and is never asked in another. */
function caseOf(scene: SceneName, title: RegExp, act: Act, port: Partial<ProviderPort> = {}) {
  const provider = {
    ...stub,
    ...port,
    send: (call: ProviderCall, signal: AbortSignal) =>
      Promise.resolve({
        answer: act(call, signal).then((done) => ({
          outcome: "answered" as const,
          text: "",
          durationMs: 0,
          ...done,
        })),
      }),
  } as ProviderPort;
  const make: SceneMaker = () => ({ provider, model: "default", asked: () => 1 });
  const scenes = Object.fromEntries(sceneNames.map((name) => [name, name === scene ? make : { cannot: "not now" }]));
  const found = providerConformance({
    scenes: scenes as Record<SceneName, SceneMaker>,
    typo: { wrote: "defualt", meant: "default" },
    timeoutMs: 500,
    patienceMs: 50,
  }).find((one) => title.test(one.title));
  if (!found) throw new Error(`no case is called ${title.source}`);
  return found;
}

const good = (call: ProviderCall) => ({ text: stubAnswer(call, {}) });
const writes: Act = async (call) => {
  writeFileSync(join(call.workspace.dir ?? "", "hello.txt"), "hello\n");
  return good(call);
};
const half = { text: '{"status":"ok"' };

type Broken = readonly [string, SceneName, RegExp, Act, Partial<ProviderPort>?];
const broken: readonly Broken[] = [
  [
    "answers with another marker",
    "answers",
    /^answers as verifier/,
    async (call) => ({ text: stubAnswer(call, { ack: "foreign" }) }),
  ],
  ["writes as a reader", "edits", /the verifier that tries to edit/, writes],
  ["makes another file than it says", "edits", /a worker's edit arrives/, async (call) => good(call)],
  ["calls a refusal an answer", "refuses", /a model that refuses/, async (call) => good(call)],
  ["calls garbage an answer", "garbage", /^garbage/, async (call) => good(call)],
  ["makes a stale marker current", "staleAck", /an earlier directive/, async (call) => good(call)],
  [
    "hands on what is too large",
    "oversize",
    /over the limit/,
    async () => ({ outcome: "oversize", text: "x".repeat(20_000) }),
  ],
  ["calls silence a failure", "silent", /silent provider ends/, async () => ({ outcome: "failed", error: "x" })],
  ["does not hear the signal", "silent", /the signal ends a silent call/, async () => ({ outcome: "timed_out" })],
  ["calls a beginning an answer", "crashesMidStream", /a crash in the middle/, async () => half],
  [
    "gives a beginning beside its failure",
    "crashesMidStream",
    /a crash in the middle/,
    async () => ({ ...half, outcome: "failed", error: "x" }),
  ],
  ["fails without a reason", "exitsAtOnce", /before the first word/, async () => ({ outcome: "failed" })],
  ["does not ask again", "busyOnce", /busy \(429\)/, async (call) => good(call)],
  ["answers for an agent that is not there", "absent", /no agent to ask/, async (call) => good(call)],
  ["needs no login after all", "loginMissing", /without a login/, async (call) => good(call)],
  [
    "takes any name for a model",
    "answers",
    /unknown model/,
    async (call) => good(call),
    { resolve: () => ({ ok: true, identity: "x" }) },
  ],
  [
    "is another agent each time",
    "answers",
    /same identity/,
    async (call) => good(call),
    { resolve: () => ({ ok: true, identity: String(Math.random()) }) },
  ],
];

describe("the conformance suite", () => {
  it.each(broken.map(([what, ...rest]) => ({ what, rest })))("catches a provider that $what", async ({ rest }) => {
    await expect(caseOf(...rest).run()).rejects.toThrow();
  });

  it("catches a provider that leaves a process behind", async () => {
    const leaves: Act = async (call) => {
      const child = spawn("sleep", ["60"], { cwd: call.workspace.dir ?? "/", stdio: "ignore" });
      onTestFinished(() => void child.kill("SIGKILL"));
      return good(call);
    };
    await expect(caseOf("answers", /^answers as verifier/, leaves).run()).rejects.toThrow(/still running/);
  });

  it("catches a provider whose answer rejects", async () => {
    const rejects: Act = () => Promise.reject(new TypeError("oh"));
    await expect(caseOf("answers", /^answers as verifier/, rejects).run()).rejects.toThrow("oh");
  });

  it("tells a skip by its reason, and lets a provider that keeps its word pass", async () => {
    const cases = providerConformance({
      scenes: Object.fromEntries(sceneNames.map((name) => [name, { cannot: "no reason" }])) as never,
      typo: { cannot: "none" },
    });
    expect(cases.every(({ skip }) => skip !== undefined)).toBe(true);
    await caseOf("answers", /^answers as verifier/, async (call) => good(call)).run();
    const absent: Partial<ProviderPort> = { examine: undefined as never };
    const fails: Act = () =>
      Promise.reject(new FailureError({ code: "provider_unavailable", message: "m", remedy: "r" }));
    await caseOf("absent", /no agent to ask/, fails, absent).run();
  });
});
