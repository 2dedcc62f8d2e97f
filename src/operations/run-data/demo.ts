// The demo: a whole governed run on a sample repository with a real bug, the stub in every role, and an operator who
// approves at each gate. Its steps come one by one, so that a person can watch.
import type { Gate } from "../../core/contract/index.ts";
import type { Context, RepositoryRuns } from "../context/index.ts";
import { answerGate } from "./answer.ts";
import { begin } from "./begin.ts";
import { runStatusOf, type RunSnapshot } from "./snapshot.ts";

const roles = {
  orchestrator: "stub:orchestrator",
  planner: "stub:planner",
  implementer: "stub:implementer",
  qa: "stub:qa",
  verifier: "stub:verifier",
  critic: "stub:critic",
};

export interface Demo {
  readonly repo: string;
  /** Prints everything, not only the story. */
  readonly full: boolean;
  /** The gates as the run comes to them. The operator approves a gate that is still open when the next one is requested. */
  readonly gates: AsyncIterable<{ readonly runId: string; readonly gate: Gate }>;
  /** Set by one who looks on and does not want the operator to go on. */
  stopped: boolean;
  /** Known when the last gate was passed. */
  end: RunSnapshot | undefined;
}

const mostGates = 20;

export async function startDemo(dir: string | undefined, full: boolean, context: Context): Promise<Demo> {
  const sample = await context.ports.setup.demo(dir);
  // The folder of a context is worked out when it is asked for: the sample's own folder overrides it.
  const there = Object.create(context, { folder: { value: sample.repo } }) as Context;
  const demo: Demo = { repo: sample.repo, full, gates: drive(), stopped: false, end: undefined };
  async function* drive() {
    const options = { goal: sample.goal, mode: "implement" as const, roles, stubScript: sample.script };
    const { runId } = await begin(options, { noLoop: true }, there);
    await using runs = await context.ports.runs(sample.repo);
    for (let passed = 0; passed < mostGates; passed += 1) {
      const stop = await there.advance(runs, runId, { from: 0, reportedByCaller: !full });
      const [gate] = await runs.gates(runId);
      demo.end = await runStatusOf(runs, runId, stop);
      if (stop !== "approval_required" || !gate) return;
      yield { runId, gate };
      if (demo.stopped) return;
      const isOpen = (await runs.gates(runId)).some(({ id }) => id === gate.id);
      if (isOpen) await approve(runs, runId, gate, context);
    }
  }
  return demo;
}

const approve = (runs: RepositoryRuns, runId: string, gate: Gate, { actor }: Context) =>
  answerGate(runs, runId, {
    answer: gate.answers[0] ?? "approve",
    message: gate.phrase ?? "",
    by: { ...actor, name: "demo" },
    gate: gate.id,
    shown: gate.subject.sha256,
  });
