// The deterministic provider: plays every role, every verdict and every failure from a script. It calls no model.
import {
  type PendingCall,
  type ProviderAnswer,
  type ProviderCall,
  type ProviderPort,
  diskFailure,
  fail,
} from "../../core/contract/index.ts";
import { stubAnswer, stubNotePath } from "./defaults.ts";
import { playEdits } from "./edits.ts";
import { type StubEdit, type StubScript, type StubStep, parseStubScript } from "./script.ts";

const modelName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export function createStub(): ProviderPort {
  return {
    id: "stub",
    traits: {
      boundary: "local",
      modelBacked: false,
      edits: "worktree",
      about: "a scripted stand-in, not a model; for tests, demos and dry runs",
    },
    resolve: (model) =>
      modelName.test(model)
        ? { ok: true, identity: `stub:${model}` }
        : { ok: false, problem: `The stub cannot be called "${model}".`, remedy: "Use stub:default." },
    // oxlint-disable-next-line require-await -- a failure here must reject, not throw
    async send(call, signal) {
      const step = stepFor(parseStubScript(call.options), call);
      if (step.behave === "unavailable")
        fail("provider_unavailable", "The stub's script makes it unavailable.", {
          remedy: "Change its script.",
        });
      return start(call, step, signal);
    },
  };
}

function listFor(script: StubScript, { purpose, role, model }: ProviderCall): readonly StubStep[] | undefined {
  switch (purpose) {
    case "reconcile":
      return script.reconcile;
    case "blind_tests":
      return script.blindTests;
    case "summon":
      return script.summons?.[role];
    case "loop":
      return script.models?.[model]?.[role] ?? script.roles?.[role];
  }
}

/** The n-th call takes the n-th step; the script knows nothing of processes, so a resumed run goes on where it was. */
function stepFor(script: StubScript, call: ProviderCall): StubStep {
  const list = listFor(script, call);
  if (!list || list.length === 0) return {};
  return list[call.ordinal - 1] ?? (script.repeatLast ? (list.at(-1) ?? {}) : {});
}

function start(call: ProviderCall, step: StubStep, signal: AbortSignal): PendingCall {
  const began = process.uptime();
  const since = () => Math.round((process.uptime() - began) * 1_000);
  const gitFolder = gitPathsOf(step.edits ?? []);
  const answer = work(call, step, signal).then((done) => ({ ...done, gitFolder, durationMs: since() }));
  return { answer };
}

/** The paths of the shared git folder that a script writes. */
const gitPathsOf = (edits: readonly StubEdit[]): string[] =>
  edits.flatMap((edit) => (edit.op === "hook" ? [`hooks/${edit.name}`] : edit.op === "config" ? ["config"] : []));

type Done = Omit<ProviderAnswer, "durationMs">;

async function work(call: ProviderCall, step: StubStep, signal: AbortSignal): Promise<Done> {
  const pause = step.behave === "silent" ? call.timeoutMs : (step.delayMs ?? 0);
  const waited = await wait(Math.min(pause, call.timeoutMs), signal);
  if (waited === "aborted") return { outcome: "aborted", text: "", error: "the call was aborted" };
  if (pause >= call.timeoutMs && pause > 0)
    return { outcome: "timed_out", text: "", error: `no answer within ${call.timeoutMs} ms` };
  if (step.limitMs !== undefined)
    return { outcome: "failed", text: "", error: "the limit is reached", limitedUntil: Date.now() + step.limitMs };
  const trouble = await edit(call, step);
  if (trouble) return { outcome: "failed", text: "", error: trouble };
  if ((await wait(step.restMs ?? 0, signal)) === "aborted")
    return { outcome: "aborted", text: "", error: "the call was aborted" };
  if (step.behave === "crash") return crash(step);
  const text = stubAnswer(call, step);
  if (text.length > call.maxAnswerBytes)
    return { outcome: "oversize", text: "", error: `the answer is over ${call.maxAnswerBytes} bytes` };
  return {
    outcome: "answered",
    text,
    ...(step.patch === undefined ? {} : { patch: new TextEncoder().encode(step.patch) }),
    ...(step.usage ? { usage: step.usage } : {}),
    ...invocation(step, text),
  };
}

function crash(step: StubStep): Done {
  const exitCode = step.exitCode ?? 1;
  return {
    outcome: "failed",
    text: "",
    error: `the stub ended with code ${exitCode} and no answer`,
    ...(step.usage ? { usage: step.usage } : {}),
    ...invocation(step, ""),
  };
}

/** The stub starts no program; it reports one only if its script does. */
function invocation(step: StubStep, text: string): Pick<ProviderAnswer, "invocation"> {
  const { exitCode, stdout, stderr } = step;
  if (exitCode === undefined && stdout === undefined && stderr === undefined) return {};
  const encode = (value: string) => new TextEncoder().encode(value);
  return {
    invocation: {
      command: "stub",
      args: [],
      sandbox: null,
      permissionMode: null,
      exitCode: exitCode ?? (step.behave === "crash" ? 1 : 0),
      signal: null,
      stdout: encode(stdout ?? text),
      stderr: encode(stderr ?? ""),
    },
  };
}

/** A worker without a script leaves one small note, so that every part of the loop has something to do. */
async function edit(call: ProviderCall, step: StubStep): Promise<string | undefined> {
  const { mode, dir } = call.workspace;
  const edits = step.edits ?? (call.role === "implementer" && isPlain(step) ? note(call) : []);
  if (edits.length === 0) return undefined;
  if (dir === null || (mode !== "worktree" && mode !== "direct"))
    return `the stub's script edits files as ${call.role}, which may not edit`;
  try {
    await playEdits(dir, edits);
    return undefined;
  } catch (error) {
    // A disk that is full or broken is ours as well: the run stops there and goes on later, as for any write.
    if (diskFailure(error)?.failure.code.startsWith("store_")) throw error;
    return `the stub could not edit: ${error instanceof Error ? error.message : String(error)}`;
  }
}

const isPlain = (step: StubStep): boolean =>
  step.raw === undefined && step.payload === undefined && step.patch === undefined && !step.behave && !step.status;

const note = (call: ProviderCall): StubEdit[] => [
  {
    op: "append",
    path: stubNotePath,
    text: `${call.ordinal === 1 ? "# Written by the stub provider, which is not a model\n\n" : ""}- pass ${call.ordinal}\n`,
  },
];

function wait(ms: number, signal: AbortSignal): Promise<"done" | "aborted"> {
  if (signal.aborted) return Promise.resolve("aborted");
  if (ms === 0) return Promise.resolve("done");
  return new Promise((resolve) => {
    const end = (how: "done" | "aborted") => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      resolve(how);
    };
    const onAbort = () => end("aborted");
    const timer = setTimeout(() => end("done"), ms);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
