// The things a person can do next, as typed actions with a suggestion that a surface can spell (R-45).
import { extendedBy, plainLine, type Extension, type Gate, type Suggestion } from "../../contract/index.ts";
import { isPassing, openCalls, openGates, workInCheckout } from "../facts/index.ts";
import { isTransferGate } from "../gate/table.ts";
import { next } from "../next/due.ts";
import { type Run, currentTask, isEnded } from "../state/index.ts";
import { momentText } from "./moment.ts";
import type { NextAction } from "./shapes.ts";

function action(kind: NextAction["kind"], reason: string, more: Partial<NextAction> = {}): NextAction {
  return { kind, owner: "operator", blocking: false, reason, command: null, tool: null, refs: [], ...more };
}

const about = (
  { runId }: Run,
  suggest: "status" | "report" | "reconcile" | "logs" | "continue" | "recheck" | "watch" | "commit" | "undo",
): Suggestion => ({ suggest, runId });

/** The budget that is used up is offered once more. */
function extension({ limits }: Run, { kind, answers }: Gate): Extension {
  const amount = extendedBy(kind);
  if (!answers.includes("extend") || amount === undefined) return {};
  const once = {
    addTokens: limits.tokens ?? 100_000,
    addMinutes: Math.max(1, Math.ceil((limits.ms ?? 1_800_000) / 60_000)),
    addAnswers: Math.max(1, Math.ceil(limits.responses / 2)),
    addUsd: limits.usd ?? 1,
  };
  return { [amount]: once[amount] };
}

/** Another agent can take the role up, instead of the one that failed. */
function otherAgent({ runId }: Run, { kind, role, cause }: Gate): NextAction[] {
  if (kind !== "provider_blocked" && kind !== "provider_in_doubt" && cause !== "decision_abort") return [];
  if (role === undefined) return [];
  return [
    action("assign_role", `Or give the ${role} to another agent first.`, {
      command: { suggest: "assign_role", role, runId },
    }),
  ];
}

/** Not every gate can be refused: where it cannot, the way out is to end the run. */
function refusal({ runId }: Run, gate: Gate): Suggestion {
  const answer = (["revise", "reject"] as const).find((one) => gate.answers.includes(one));
  return answer ? { suggest: "answer", answer, runId, gateId: gate.id } : { suggest: "abort", runId };
}

/** The unassigned role that the gate asks for: an approval is refused until an agent has it. */
function emptyRole(run: Run, { kind, role }: Gate): string | undefined {
  const asks =
    kind === "verifier_unassigned" || kind === "role_unassigned" || kind === "missing_read_only_delegate_assignment";
  return asks && role && role !== "integrator" && !run.roles[role] ? role : undefined;
}

function forGate(run: Run, gate: Gate): NextAction[] {
  const refs = gate.subject.refs.map(({ ref }) => ref).slice(0, 4);
  const transfer = isTransferGate(gate.kind);
  const pass = gate.answers.find(isPassing);
  const others = gate.answers.filter((answer) => answer !== pass);
  const look = { command: about(run, "status"), refs };
  const empty = emptyRole(run, gate);
  return [
    transfer
      ? action("preview_external_transfer", "See exactly what would leave this machine.", {
          ...look,
          tool: "thehood_status",
        })
      : action("review_approval_reason", gate.title, { ...look, tool: "thehood_status" }),
    ...(pass && empty !== undefined
      ? [
          action("assign_role", `Give the role ${empty} to an agent, then approve.`, {
            blocking: gate.lane === "main",
            command: { suggest: "assign_role", role: empty, runId: run.runId },
          }),
        ]
      : []),
    ...(pass && empty === undefined
      ? [
          action(
            "continue_with_approval",
            gate.phrase === null ? `${pass}: ${gate.title}` : `The message must contain: ${gate.phrase}`,
            {
              blocking: gate.lane === "main",
              command: {
                suggest: "answer",
                answer: pass,
                runId: run.runId,
                gateId: gate.id,
                phrase: gate.phrase,
                shown: gate.subject.sha256,
                ...extension(run, gate),
              },
              tool: "thehood_approve",
              refs,
            },
          ),
        ]
      : []),
    ...(["not_run", "still_failing", "nothing_to_run"].includes(gate.cause ?? "")
      ? [
          action("recheck", "After you mended the reason: run the checks again, without calling an agent.", {
            command: about(run, "recheck"),
          }),
        ]
      : []),
    ...otherAgent(run, gate),
    action("reject_or_revise", `Or: ${others.join(", ")}.`, {
      command: refusal(run, gate),
      tool: gate.answers.includes("reject") ? "thehood_reject" : null,
    }),
  ];
}

function completed(run: Run): NextAction[] {
  const report = run.report
    ? [
        action("inspect_final_report", "What is proven and what is not.", {
          command: about(run, "report"),
          tool: "thehood_read_artifact",
          refs: [run.report.report.ref],
        }),
      ]
    : [];
  const packet = run.packet
    ? [
        action("inspect_progress_packet", "A bounded account of what was done.", {
          command: { suggest: "artifact", runId: run.runId, ref: run.packet.ref },
          tool: "thehood_read_artifact",
          refs: [run.packet.ref],
        }),
      ]
    : [];
  const reconcile = run.side.reconciled
    ? []
    : [
        action("reconcile", "Compare the plan with what was done.", {
          command: about(run, "reconcile"),
          tool: "thehood_reconcile",
        }),
      ];
  return [...report, ...inCheckout(run), ...packet, ...reconcile];
}

/** The work that this run put into the checkout and that is still there: how to keep it, and how to take it out. */
function inCheckout(run: Run): NextAction[] {
  const placed = workInCheckout(run);
  if (!placed) return [];
  const paths = `${placed.paths
    .slice(0, 5)
    .map((path) => plainLine(path))
    .join(", ")}${placed.paths.length > 5 ? ` and ${placed.paths.length - 5} more` : ""}`;
  const commit = action("commit_work", "Keep it: commit exactly this work, with evidence that others can verify.", {
    command: about(run, "commit"),
  });
  const isCommitted = run.created.commit === true || run.request !== null;
  return [
    ...(run.phase.state === "completed" && !isCommitted ? [commit] : []),
    action("undo", `Its work is in the checkout: ${paths}. This takes it out again; your own edits stay.`, {
      command: about(run, "undo"),
    }),
  ];
}

function ended(run: Run): NextAction[] {
  switch (run.phase.state) {
    case "completed":
      return [action("terminal_complete", `Completed: ${run.phase.stopReason}.`), ...completed(run)];
    case "failed":
      return [
        action("terminal_failed", `${run.phase.stopReason}: ${run.phase.message}`, { refs: [] }),
        action("inspect_artifacts", run.phase.remedy ?? "Look at the last answers and logs.", {
          command: about(run, "logs"),
          tool: "thehood_status",
        }),
        ...inCheckout(run),
      ];
    case "aborted":
      return [action("terminal_aborted", `${run.phase.stopReason}: ${run.phase.message}`), ...inCheckout(run)];
    default:
      return [];
  }
}

function running(run: Run): NextAction[] {
  const go = {
    owner: "runtime" as const,
    command: about(run, "continue"),
    tool: "thehood_continue",
  };
  const waiting = openCalls(run).flatMap(({ posted }) => (posted ? [posted.target] : []));
  if (waiting.length > 0)
    return [
      action("wait_for_provider", `Waiting for ${waiting.join(", ")}.`, {
        owner: "provider",
        blocking: true,
        command: about(run, "watch"),
      }),
    ];
  const effect = next(run);
  if (effect?.kind === "wait_for_provider")
    return [
      action("wait_for_limit", `${effect.who} is at its limit: waiting until ${momentText(effect.until)}.`, {
        ...go,
        owner: "provider",
      }),
    ];
  if (!effect) return [action("inspect_status", "Nothing is due.", { command: about(run, "status") })];
  const due = `Next: ${effect.kind.replaceAll("_", " ")}.`;
  if (effect.kind === "run_check") return [action("validation_required", due, go)];
  const review = run.phase.state === "verifying" || run.phase.state === "critiquing";
  return [action(review ? "review_required" : "continue", due, go)];
}

export function nextActions(run: Run): NextAction[] {
  const gates = openGates(run).flatMap((gate) => forGate(run, gate));
  if (isEnded(run.phase)) {
    const beside =
      currentTask(run.side) && !run.side.gate
        ? [
            action("continue", "Something asked beside the loop is not finished.", {
              owner: "runtime",
              command: about(run, "continue"),
            }),
          ]
        : [];
    return [...gates, ...beside, ...ended(run)];
  }
  return run.phase.state === "awaiting_approval" ? gates : [...gates, ...running(run)];
}
