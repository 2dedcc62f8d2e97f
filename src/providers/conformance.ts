// One suite that every provider joins: the promises of the port, checked from outside. A test file runs the cases.
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AskedRole,
  FailureError,
  type ProviderAnswer,
  type ProviderCall,
  type ProviderPort,
  contractOfRole,
  makeAck,
  readResponse,
} from "../contract/index.ts";

/** What a provider brings: itself, and the options that make it behave in each way. */
export interface ConformanceSubject {
  readonly provider: ProviderPort;
  readonly model: string;
  readonly options: {
    readonly answers: unknown;
    readonly silent: unknown;
    readonly crashes: unknown;
    readonly oversize: unknown;
    readonly unavailable?: unknown;
    /** Writes `hello\n` to `hello.txt` in its workspace. */
    readonly edits?: unknown;
  };
}

export interface ConformanceCase {
  readonly title: string;
  /** Why this provider cannot be asked this, for a skip that has a name. */
  readonly skip?: string;
  run(): Promise<void>;
}

export function providerConformance(subject: ConformanceSubject): ConformanceCase[] {
  return [...answerCases(subject), ...endCases(subject), ...editCases(subject), ...identityCases(subject)];
}

const roles = Object.keys(contractOfRole) as AskedRole[];
const noSignal = new AbortController().signal;

function callFor(
  subject: ConformanceSubject,
  options: unknown,
  more: Partial<ProviderCall> = {},
): ProviderCall {
  const role = more.role ?? "verifier";
  const runId = `run_${randomBytes(8).toString("hex")}`;
  const ack = makeAck(runId, randomBytes(8).toString("hex"));
  return {
    callId: `call_${randomBytes(8).toString("hex")}`,
    runId,
    role,
    purpose: "loop",
    ordinal: 1,
    model: subject.model,
    contract: contractOfRole[role],
    ack,
    prompt: `Answer as ${role}. Repeat the marker ${ack.marker}.`,
    directive: { role, run: { goal: "conformance" } },
    workspace: { mode: "none", dir: null },
    timeoutMs: 10_000,
    maxAnswerBytes: 1_000_000,
    options,
    ...more,
  };
}

async function ask(
  subject: ConformanceSubject,
  call: ProviderCall,
  signal = noSignal,
): Promise<ProviderAnswer> {
  const pending = await subject.provider.send(call, signal);
  return pending.answer;
}

function must(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

function answerCases(subject: ConformanceSubject): ConformanceCase[] {
  return roles.map((role) => ({
    title: `answers as ${role} within its contract and with the current marker`,
    async run() {
      await inWorkspace(async (dir) => {
        const mode = role === "implementer" ? "worktree" : "read_only";
        const call = callFor(subject, subject.options.answers, { role, workspace: { mode, dir } });
        const answer = await ask(subject, call);
        must(answer.outcome === "answered", `outcome ${answer.outcome}: ${answer.error ?? ""}`);
        const read = readResponse(call.contract, answer.text, call.ack);
        must(read.ok, read.ok ? "" : read.refusal.message);
        if (role !== "implementer") must((await readdir(dir)).length === 0, `${role} wrote in its workspace`);
      });
    },
  }));
}

function endCases(subject: ConformanceSubject): ConformanceCase[] {
  const { options } = subject;
  return [
    {
      title: "a silent provider ends at the deadline as timed_out",
      async run() {
        const answer = await ask(subject, callFor(subject, options.silent, { timeoutMs: 50 }));
        must(answer.outcome === "timed_out", `outcome ${answer.outcome}`);
      },
    },
    {
      title: "the signal ends a call at once as aborted",
      async run() {
        const controller = new AbortController();
        const pending = ask(subject, callFor(subject, options.silent), controller.signal);
        setTimeout(() => controller.abort(), 20);
        const answer = await pending;
        must(answer.outcome === "aborted", `outcome ${answer.outcome}`);
      },
    },
    {
      title: "a crash is an answer with outcome failed and a reason, not an exception",
      async run() {
        const answer = await ask(subject, callFor(subject, options.crashes));
        must(answer.outcome === "failed", `outcome ${answer.outcome}`);
        must(Boolean(answer.error), "no reason was given");
      },
    },
    {
      title: "an answer over the limit is not handed on",
      async run() {
        const call = callFor(subject, options.oversize, { maxAnswerBytes: 10_000 });
        const answer = await ask(subject, call);
        must(answer.outcome === "oversize" && answer.text.length <= 10_000, `outcome ${answer.outcome}`);
      },
    },
    {
      title: "send rejects with provider_unavailable when nothing was begun",
      ...(options.unavailable === undefined ? { skip: "cannot be made unavailable" } : {}),
      async run() {
        const error = await ask(subject, callFor(subject, options.unavailable)).catch(
          (thrown: unknown) => thrown,
        );
        must(error instanceof FailureError, "no failure was thrown");
        must(error.failure.code === "provider_unavailable", `code ${error.failure.code}`);
      },
    },
  ];
}

function editCases(subject: ConformanceSubject): ConformanceCase[] {
  const skip = subject.options.edits === undefined ? { skip: "does not edit files" } : {};
  return [
    {
      title: "edits land in the workspace it was given, byte for byte",
      ...skip,
      async run() {
        await inWorkspace(async (dir) => {
          const workspace = { mode: "worktree", dir } as const;
          const call = callFor(subject, subject.options.edits, { role: "implementer", workspace });
          must((await ask(subject, call)).outcome === "answered", "no answer");
          must((await readFile(join(dir, "hello.txt"), "utf8")) === "hello\n", "the file differs");
        });
      },
    },
    {
      title: "[R-2] a reader that tries to edit changes nothing",
      ...skip,
      async run() {
        await inWorkspace(async (dir) => {
          const workspace = { mode: "read_only", dir } as const;
          const call = callFor(subject, subject.options.edits, { role: "implementer", workspace });
          await ask(subject, call);
          must((await readdir(dir)).length === 0, "a read-only workspace was written");
        });
      },
    },
  ];
}

function identityCases(subject: ConformanceSubject): ConformanceCase[] {
  return [
    {
      title: "a model resolves to the same identity every time",
      run() {
        const [first, second] = [1, 2].map(() => subject.provider.resolve(subject.model));
        must(first?.ok === true && second?.ok === true, "the model does not resolve");
        must(first.identity === second.identity, "the identity changed");
        return Promise.resolve();
      },
    },
  ];
}

async function inWorkspace(use: (dir: string) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "conformance-"));
  try {
    await use(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
