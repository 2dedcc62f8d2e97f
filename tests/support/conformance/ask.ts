// Puts one question to a provider in one scene, and says what came of it.
import { randomBytes } from "node:crypto";
import {
  FailureError,
  type ProviderAnswer,
  type ProviderCall,
  contractOfRole,
  makeAck,
} from "../../../src/core/contract/index.ts";
import { inRepository, printOf, processesIn } from "./place.ts";
import type { Cannot, ConformanceSubject, Scene, SceneName } from "./subject.ts";

export interface ConformanceCase {
  readonly title: string;
  /** Why this provider cannot be asked this, for a skip that has a name. */
  readonly skip?: string;
  run(): Promise<void>;
}

export interface Asked {
  readonly call: ProviderCall;
  readonly scene: Scene;
  readonly dir: string;
  /** What was in the repository before the call, as `printOf` tells it. */
  readonly before: string;
  /** Absent when `send` rejected. */
  readonly answer?: ProviderAnswer;
  readonly failure?: FailureError["failure"];
}

export function must(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

function callFor(dir: string, more: Partial<ProviderCall>): ProviderCall {
  const role = more.role ?? "verifier";
  const runId = `run_${randomBytes(8).toString("hex")}`;
  const ack = makeAck(runId, randomBytes(8).toString("hex"));
  const mode = role === "implementer" ? "worktree" : "read_only";
  const directive = { role, run: { goal: "conformance" }, directiveAck: ack };
  return {
    callId: `call_${randomBytes(8).toString("hex")}`,
    runId,
    role,
    purpose: "loop",
    ordinal: 1,
    model: "default",
    contract: contractOfRole[role],
    ack,
    prompt: `${JSON.stringify(directive)}\nAnswer as ${role}. Repeat the marker ${ack.marker}.\n`,
    directive,
    workspace: { mode, dir },
    timeoutMs: 30_000,
    maxAnswerBytes: 1_000_000,
    options: undefined,
    ...more,
  };
}

export interface Asking extends Partial<ProviderCall> {
  /** Stop it once it has reached the other side. */
  readonly abort?: boolean;
}

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

/** Sends one call in a fresh repository; what is left afterwards is looked at before the repository goes. */
export function asking(
  subject: ConformanceSubject,
  name: SceneName,
  { abort = false, ...more }: Asking,
  check: (asked: Asked) => Promise<void> | void,
): { skip?: string; run(): Promise<void> } {
  const make = subject.scenes[name];
  if (isCannot(make)) return { skip: make.cannot, run: () => Promise.resolve() };
  return {
    run: () =>
      inRepository(async (dir) => {
        const draft = callFor(dir, { timeoutMs: subject.timeoutMs ?? 30_000, ...more });
        const scene = await make(draft);
        try {
          const call = { ...draft, model: scene.model, options: scene.options };
          const before = await printOf(dir);
          const stop = new AbortController();
          const ended = settle(scene, call, stop.signal);
          if (abort) {
            await (scene.reached?.() ?? soon());
            stop.abort();
          }
          await check({ call, scene, dir, before, ...(await ended) });
          const left = [...(await processesIn(dir)), ...((await scene.leftRunning?.()) ?? [])];
          must(left.length === 0, `still running: ${left.join(", ")}`);
        } finally {
          await scene.close?.();
        }
      }),
  };
}

async function settle(
  scene: Scene,
  call: ProviderCall,
  signal: AbortSignal,
): Promise<Pick<Asked, "answer" | "failure">> {
  try {
    const pending = await scene.provider.send(call, signal);
    return { answer: await pending.answer };
  } catch (error) {
    if (error instanceof FailureError) return { failure: error.failure };
    throw error;
  }
}

export function isCannot(value: object): value is Cannot {
  return "cannot" in value;
}

export const told = ({ answer, failure }: Asked): string =>
  answer
    ? `outcome ${answer.outcome}: ${answer.error ?? answer.text.slice(0, 200)}`
    : `failure ${failure?.message ?? ""}`;

/** No answer came, and why is said. */
export function mustFail(asked: Asked): void {
  const { answer, failure } = asked;
  if (failure) return must(failure.message.length > 0, "a failure without words");
  must(answer?.outcome === "failed", told(asked));
  must(Boolean(answer.error), "no reason was given");
}
