// One word for the present work or wait of a run, for a line on a screen.
import { commandLine, openCalls, openGates } from "../facts/index.ts";
import { nextInLoop } from "../next/index.ts";
import { isEnded, type Run } from "../state/index.ts";

export interface Monitor {
  readonly phase:
    | "provider_wait"
    | "approval_gate"
    | "transfer_gate"
    | "running"
    | "completed"
    | "failed"
    | "aborted";
  /** The thing it waits for or does, in words for people. */
  readonly doing: string;
  /** Since when, in milliseconds since 1970. */
  readonly since: number;
  /** The longest that it may take, where there is a limit. */
  readonly limitMs?: number;
}

const doing: Readonly<Record<string, string>> = {
  created: "looking at the repository",
  planning: "planning",
  delegating: "deciding the next step",
  implementing: "implementing in an isolated worktree",
  integrating: "applying the approved patch",
  verifying: "gathering evidence and reviews",
  critiquing: "asking the critic",
};

export function monitor(run: Run): Monitor {
  if (isEnded(run.phase))
    return {
      phase: run.phase.state,
      doing: `${run.phase.state === "completed" ? run.phase.summary : run.phase.message}${run.undo?.state === "done" ? " (its work was taken out of the checkout again)" : ""}`,
      since: run.updatedAt,
    };
  const [gate, ...more] = openGates(run);
  if (gate) {
    const phase = gate.kind.endsWith("_external_transfer") ? "transfer_gate" : "approval_gate";
    return {
      phase,
      doing: `waiting for you: ${[gate, ...more].map(({ title }) => title).join("; ")}`,
      since: run.updatedAt,
    };
  }
  const waiting = openCalls(run).filter((call) => call.posted);
  if (waiting[0]?.posted) {
    const works = waiting.map(({ record }) => `${record.assignment.assignment} works as ${record.role}`);
    const limitMs = run.created.policy.budgets.callTimeoutMs;
    return { phase: "provider_wait", doing: works.join(", "), since: waiting[0].posted.at, limitMs };
  }
  const effect = nextInLoop(run);
  if (effect?.kind === "run_check")
    return {
      phase: "running",
      doing: `running ${commandLine(effect.check.argv)} on the ${effect.variant === "base" ? "base" : "changed"} tree`,
      since: run.updatedAt,
      limitMs: effect.timeoutMs,
    };
  return { phase: "running", doing: doing[run.phase.state] ?? run.phase.state, since: run.updatedAt };
}
