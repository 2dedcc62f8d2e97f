// The wish to have the checks of the work run again, without asking an agent: a program was installed, a service runs now.
import type { UserCommand } from "../../contract/index.ts";
import { latestPass } from "../facts/index.ts";
import { emit, combine } from "../decision.ts";
import { type Run, activePhase } from "../state/index.ts";
import { enter } from "../transition.ts";
import { after } from "./after.ts";
import { type Ruling, refuse } from "./refusal.ts";

/** Only work that was judged and waits at a gate. An answer that was given before stays on record and is not undone. */
export function onRecheck(run: Run, { by }: Extract<UserCommand, { type: "recheck" }>, at: number): Ruling {
  const pass = latestPass(run);
  const back = run.phase.state === "awaiting_approval" ? activePhase(run.phase) : null;
  const judged = pass.validation !== null && pass.integration === null;
  if (!judged || (back?.state !== "verifying" && back?.state !== "integrating"))
    return refuse(
      "illegal_transition",
      `The checks of ${run.runId} cannot be run again now: it has no judged work that waits for you.`,
      "See where it stands",
      { suggest: "status", runId: run.runId },
    );
  const asked = emit({ type: "checks_asked_again", pass: pass.number, by });
  if (back.state === "verifying") return asked;
  return combine(asked, enter(after(run, asked, at), back, "verifying", "the checks are run again"));
}
