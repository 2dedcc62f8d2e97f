// The rules of blind tests (B-33): ask an agent that has not seen the work, run its tests, send failing ones back once
// without their text, and leave the rest to the person who decides.
import { plainLine, type BlindTests, type CallResult } from "../../contract/index.ts";
import { ask } from "../call/ask.ts";
import { blindTester } from "../call/tester.ts";
import { callOf } from "../facts/index.ts";
import { type Decision, type MachineDeps, emit } from "../decision.ts";
import { baseTree, blindChecks, blindMeasure, repair, reviewTree, wantsBlindTests } from "../review/index.ts";
import type { AgentCall, Pass, Run, Verifying } from "../state/index.ts";

const nothing = { ran: 0, proving: 0, idle: 0, failing: 0, failingNames: [], unused: [], files: [] };

function withoutTests(run: Run, pass: Pass, call: AgentCall | null, notRun: string): Decision {
  const tests: BlindTests = {
    ...nothing,
    tree: reviewTree(run),
    baseTree: baseTree(run),
    author: call?.record.assignment.assignment ?? null,
    notRun: plainLine(notRun, 500),
  };
  return emit({
    type: "blind_tests_run",
    pass: pass.number,
    callId: call?.record.callId ?? null,
    tests,
    tookMs: 0,
  });
}

/** Why no agent is asked: a test that no runner would run, or that nobody but the worker could write, is not paid for. */
function hindrance(run: Run, pass: Pass): string | null {
  if (blindTester(run) === null) return "no agent but the implementer is assigned in this run";
  if (blindChecks(run, pass).length > 0) return null;
  return (run.checks ?? []).some(({ kind }) => kind === "test")
    ? "the project's tests do not pass on this work, or their runner reports no single tests"
    : "the project has no check that runs tests";
}

/** The call that was made and brought no tests. */
const fruitless = ({ calls }: Run): AgentCall | undefined =>
  calls.findLast(({ record, result }) => record.purpose === "blind_tests" && result !== null);

function toWrite(run: Run, pass: Pass, deps: MachineDeps): Decision {
  const before = fruitless(run);
  const why = before ? reasonOf(before.result?.outcome) : hindrance(run, pass);
  if (why !== null) return withoutTests(run, pass, before ?? null, why);
  return ask(run, deps, { role: "qa", phase: "blind_tests", why: "tests by an agent that does not see the work" });
}

const wasSentBack = ({ passes }: Run): boolean =>
  passes.some(({ outcome }) => outcome?.reasonCode === "blind_tests_fail");

/** The number of repairs is bounded: beyond it a person decides at the end. */
const mayRepair = ({ passes, created }: Run): boolean =>
  passes.filter(({ outcome }) => outcome !== null).length < created.policy.budgets.maxRevisions;

/** Nothing of a test goes to the worker: neither its text, nor its name, nor its output. */
function sendBack(run: Run, phase: Verifying, pass: Pass, tests: BlindTests, deps: MachineDeps): Decision {
  const { goal } = run.created;
  const { acceptanceCriteria } = run.scope;
  return repair(run, phase, pass, deps, {
    sourceRole: "runtime",
    reasonCode: "blind_tests_fail",
    failureClass: "test_failure",
    reason: blindMeasure(tests),
    objective:
      "Read the goal and every acceptance criterion again, and mend what the work does not do or does otherwise. Tests that were written from them alone fail on it. You are not given these tests. If the work is right, say why.",
    criteria: acceptanceCriteria.length > 0 ? acceptanceCriteria : [`The goal is reached: ${goal}`],
    evidence: [pass.validation?.artifact, pass.captured?.patch?.full],
  });
}

/** Null when the review goes on. */
export function withBlindTests(run: Run, phase: Verifying, pass: Pass, deps: MachineDeps): Decision | null {
  if (!wantsBlindTests(run, pass)) return null;
  const { blindTests } = pass;
  if (!blindTests) return run.blind === null ? toWrite(run, pass, deps) : withNoChecks(run, pass);
  if (blindTests.failing === 0 || wasSentBack(run) || !mayRepair(run)) return null;
  return sendBack(run, phase, pass, blindTests, deps);
}

/** The tests are there, and nothing that could run them passes on this work. */
function withNoChecks(run: Run, pass: Pass): Decision | null {
  const why = hindrance(run, pass);
  return why === null ? null : withoutTests(run, pass, callOf(run, run.blind) ?? null, why);
}

function reasonOf(outcome: CallResult | undefined): string {
  switch (outcome?.result) {
    case "accepted":
      return outcome.status === "ok" ? "the tester wrote none" : `the tester is ${outcome.status}`;
    case "refused":
      return `the tester's answers did not keep their contract: ${outcome.problems.join("; ")}`;
    case "in_doubt":
      return `the tester was asked, and its answer is lost: ${outcome.why}`;
    case "failed":
    case "not_sent":
      return `the tester gave no answer: ${outcome.why}`;
    default:
      return "the tester gave no answer";
  }
}

/** A tester without a usable answer never holds the run; null where the usual rules of a call apply. */
export function onBlindTrouble(run: Run, call: AgentCall): Decision | null {
  const outcome = call.result?.outcome;
  const pass = run.passes.at(-1);
  if (call.record.purpose !== "blind_tests" || !pass || !outcome) return null;
  const mayTryAgain =
    outcome.result === "refused" &&
    (run.refusals[call.record.role] ?? 0) < run.created.policy.budgets.maxSchemaFailures;
  const isUsual = (outcome.result === "failed" && (outcome.violation || outcome.budget)) || mayTryAgain;
  return isUsual ? null : withoutTests(run, pass, call, reasonOf(outcome));
}
