// The objective of a call, in one sentence.
import { type CallRecord, plainLine } from "../../contract/index.ts";
import { latestPass, sideJobOf } from "../facts/index.ts";
import type { Run } from "../state/index.ts";

export function objectiveOf(run: Run, call: CallRecord): string {
  const goal = plainLine(run.created.goal, 1_000);
  switch (call.phase) {
    case "plan":
      return `Plan how to reach the goal: ${goal}`;
    case "delegate":
      return `Delegate the approved plan to a worker: ${goal}`;
    case "implement":
      return `Implement: ${goal}`;
    case "repair":
      return latestPass(run).revision?.objective ?? `Repair: ${goal}`;
    case "qa":
      return `Test the work of pass ${call.pass} in your mind against: ${goal}`;
    case "verify":
      return `Verify the work of pass ${call.pass} against: ${goal}`;
    case "critique":
      return `Criticise the work of pass ${call.pass} for: ${goal}`;
    case "consult":
      return `Contribute what your role knows to: ${goal}`;
    case "reconcile":
      return `Reconcile the plan with what was done for: ${goal}`;
    case "summon": {
      const job = sideJobOf(run, call);
      return job?.job === "summon" ? plainLine(job.request.brief, 1_000) : goal;
    }
  }
}
