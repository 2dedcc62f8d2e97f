// due: the effects that may be under way now, each with a key. There are none at a gate and at the end.
import type { Effect } from "../../contract/index.ts";
import { acceptedOf, callOf, placedWork } from "../facts/index.ts";
import { type Run, isEnded } from "../state/index.ts";
import { nextForCall, nextOnSide } from "./calls.ts";
import { nextLook } from "./planning.ts";
import { nextForIntegration, nextForReview, nextForWorker } from "./work.ts";

function nextOfPhase(run: Run): Effect | undefined {
  switch (run.phase.state) {
    case "planning":
    case "delegating":
      return nextLook(run, run.phase);
    case "implementing":
      return nextForWorker(run, run.phase);
    case "integrating":
      return nextForIntegration(run, run.phase);
    case "verifying":
      return nextForReview(run, run.phase);
    default:
      return undefined;
  }
}

/** A run value never changes, so its next effect is worked out once. */
const worked = new WeakMap<Run, { readonly effect: Effect | undefined }>();

/** The next effect of the loop alone, without side tasks. */
export function nextInLoop(run: Run): Effect | undefined {
  const known = worked.get(run) ?? { effect: workOut(run) };
  worked.set(run, known);
  return known.effect;
}

function workOut(run: Run): Effect | undefined {
  if (isEnded(run.phase)) return retire(run) ?? takeOut(run) ?? keepTests(run);
  if (run.phase.state === "awaiting_approval" || run.trouble || run.again) return undefined;
  if (run.limited) return waitForLimit(run, run.limited);
  const call = callOf(run, run.asking);
  return call ? nextForCall(run, call) : nextOfPhase(run);
}

function waitForLimit(run: Run, { callId, until }: NonNullable<Run["limited"]>): Effect {
  const who = callOf(run, callId)?.record.assignment.assignment ?? "the provider";
  return { kind: "wait_for_provider", key: `limit:${callId}`, who, until };
}

function retire(run: Run): Effect | undefined {
  const worked = run.calls.some((call) => call.record.workspace === "worktree" && call.directive !== null);
  return worked && run.retired === null ? { kind: "retire_workspace", key: "retire" } : undefined;
}

function takeOut(run: Run): Effect | undefined {
  const placed = placedWork(run);
  return run.undo?.state === "asked" && placed
    ? { kind: "take_out_work", key: `undo:${run.undo.seq}`, placed }
    : undefined;
}

/** Only beside work that was put into the checkout. */
function keepTests(run: Run): Effect | undefined {
  const { keepTests: wanted, blind, phase } = run;
  const files = run.passes.findLast(({ blindTests }) => blindTests)?.blindTests?.files ?? [];
  const response = acceptedOf(run, blind)?.response;
  if (!wanted || wanted.kept || phase.state !== "completed" || !response || !placedWork(run)) return undefined;
  return { kind: "keep_blind_tests", key: "keep_tests", response, files };
}

/** One effect, or the calls of a fan-out that are out, together with the next of them. Side tasks go first. */
export function due(run: Run): readonly Effect[] {
  const beside = nextOnSide(run);
  if (beside.length > 0) return beside;
  const inLoop = nextInLoop(run);
  return inLoop ? [inLoop] : [];
}

/** The effects of side tasks alone. */
export { nextOnSide as dueOnSide } from "./calls.ts";

export function next(run: Run): Effect | undefined {
  return due(run)[0];
}

/** Every effect whose outcome is accepted now. */
export function awaited(run: Run): readonly Effect[] {
  const inLoop = nextInLoop(run);
  return inLoop ? [...nextOnSide(run), inLoop] : nextOnSide(run);
}
