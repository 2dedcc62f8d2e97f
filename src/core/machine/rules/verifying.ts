// The rules while verifying and critiquing: evidence first, then the reviewers, then the step that their verdicts and
// the checks allow.
import { ask } from "../call/ask.ts";
import { acceptedOf, diffPart, passAt, type Reviewer, commandsOf, nameFor, requestedTasks } from "../facts/index.ts";
import { openGate } from "../gate/open.ts";
import { nextForReview } from "../next/work.ts";
import { type Decision, type MachineDeps, emit } from "../decision.ts";
import {
  baseTree,
  closeValidation,
  reviewTree,
  routeReview,
  answerTrigger,
  triggerCritic,
  verdictsOf,
} from "../review/index.ts";
import { appliesFirst } from "../policy/index.ts";
import type { Critiquing, Pass, Run, Verifying } from "../state/index.ts";
import { enter } from "../transition.ts";
import { withBlindTests } from "./blind-tests.ts";
import { complete, endUnchanged, whileVerifyingReadOnly } from "./complete.ts";
import { repairFrom, repairRegression } from "./repairs.ts";
import { verdictGate, waiverGate } from "./verdict-gates.ts";

/**
 * A critic that calls the work unsafe stops it; one that asks for revision sends it back, unless the verifier left it
 * to the user.
 */
function afterCritic(run: Run, phase: Verifying, pass: Pass, deps: MachineDeps): Decision | null {
  const { critic, blockingConcerns, verifier } = verdictsOf(run, pass);
  if (critic === null || pass.criticCleared) return null;
  if (critic === "unsafe" || (critic === "unclear" && blockingConcerns.length > 0)) {
    const accepted = acceptedOf(run, pass.critic);
    return openGate(run, deps, {
      kind: "critic_safety_review",
      shown: [
        `The critic says: ${critic}. ${accepted?.summary ?? ""}`,
        ...blockingConcerns.map((text) => `- ${text}`),
        "Approve to go on to the verdict all the same.",
      ],
      refs: accepted ? [accepted.response] : [],
      about: { role: "critic", cause: `critic_${critic}` },
    });
  }
  if (verifier === "ask_user" || verifier === "abort" || pass.accepted) return null;
  return critic === "needs_revision" || blockingConcerns.length > 0
    ? repairFrom(run, phase, pass, "critic", deps)
    : null;
}

/** The verifier approved this pass, or a person took it as it is: only a check that does not pass can still hold it. */
function conclude(run: Run, phase: Verifying, pass: Pass, deps: MachineDeps): Decision {
  const changed = reviewTree(run) !== baseTree(run);
  if (changed && !appliesFirst(run.created.policy))
    return enter(run, phase, "integrating", "the work is verified and may be asked about");
  if (!changed && !pass.accepted) return endUnchanged(run, deps);
  const held = waiverGate(run, pass, deps);
  return held ?? complete(run, "success", pass.accepted ? "user" : "verifier", deps);
}

function why(run: Run, role: Reviewer, reason: string): string {
  const part = diffPart(run, role);
  return part ? `${reason}; part ${part.index + 1} of ${part.of} of the diff` : reason;
}

function review(run: Run, phase: Verifying, pass: Pass, deps: MachineDeps): Decision | null {
  if (pass.routing?.required.qa && pass.qa === null)
    return ask(run, deps, { role: "qa", phase: "qa", why: why(run, "qa", `${pass.routing.tier} risk`) });
  const triggered = triggerCritic(run, pass, deps);
  if (triggered) return triggered;
  if (pass.trigger?.called && pass.critic === null) return enter(run, phase, "critiquing", pass.trigger.reason);
  const criticised = afterCritic(run, phase, pass, deps);
  if (criticised) return criticised;
  const { qa, verifier } = verdictsOf(run, pass);
  if (pass.accepted) return conclude(run, phase, pass, deps);
  if (qa === "needs_revision" && verifier === null) return repairFrom(run, phase, pass, "qa", deps);
  const requested = runRequested(run, pass);
  if (requested) return requested === "waits" ? null : requested;
  switch (verifier) {
    case null:
      return ask(run, deps, {
        role: "verifier",
        phase: "verify",
        why: why(run, "verifier", "an implementation is always verified"),
      });
    case "approve":
      return conclude(run, phase, pass, deps);
    case "revise":
      return repairFrom(run, phase, pass, "verifier", deps);
    case "abort":
    case "ask_user":
      return verdictGate(run, pass, verifier, deps);
  }
}

export function whileVerifying(run: Run, phase: Verifying, deps: MachineDeps): Decision | null {
  if (run.created.mode !== "implement") return whileVerifyingReadOnly(run, phase, deps);
  const pass = passAt(run, phase.pass);
  if (nextForReview(run, phase)) return null;
  if (!pass.validation) return closeValidation(run, pass, deps);
  const broken = repairRegression(run, phase, pass, deps);
  if (broken) return broken;
  const blind = withBlindTests(run, phase, pass, deps);
  if (blind) return blind;
  if (!pass.routing) return routeReview(run, pass, deps);
  return review(run, phase, pass, deps);
}

export function whileCritiquing(run: Run, phase: Critiquing, deps: MachineDeps): Decision | null {
  const pass = passAt(run, phase.pass);
  if (pass.critic === null)
    return ask(run, deps, {
      role: "critic",
      phase: "critique",
      why: why(run, "critic", pass.trigger?.reason ?? "triggered"),
    });
  return answerTrigger(run, pass, deps) ?? enter(run, phase, "verifying", "the critic has answered");
}

/** `waits`: a command is under way, or waits at its gate. */
export function runRequested(run: Run, pass: Pass): Decision | "waits" | null {
  const callId = pass.asksToRun.at(-1);
  if (callId === undefined || pass.verifier !== null) return null;
  const tasks = requestedTasks(run, callId);
  const line = commandsOf(run, callId)[tasks.length];
  if (line !== undefined)
    return emit({
      type: "side_requested",
      job: {
        job: "exec",
        id: nameFor(run, "side"),
        argv: ["bash", "-c", line],
        cwd: "",
        allowRisky: false,
        requestedBy: { callId, tree: reviewTree(run) },
      },
      by: { kind: "policy", surface: "runtime" },
    });
  return tasks.some(({ end }) => end === null) ? "waits" : null;
}
