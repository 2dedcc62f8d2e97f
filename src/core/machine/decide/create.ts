// Creates a run. A run that may not begin is refused here, before anything is written.
import type { CreateRun } from "../../contract/index.ts";
import { roleConflict } from "../call/ask.ts";
import { firstRole } from "../facts/index.ts";
import { emit } from "../decision.ts";
import { type Ruling, refuse } from "./refusal.ts";

export function create(command: CreateRun, runId: string, flags: readonly number[]): Ruling {
  const { type: _, ...frozen } = command;
  const { mode, roles, baseCommit, baseTree, preferredRole } = frozen;
  if (mode === "implement" && (baseCommit === null || baseTree === null))
    return refuse(
      "not_a_repository",
      "Mode implement needs a git repository with at least one commit.",
      "Run `git init` and commit, or use mode plan, research or review, which only read.",
    );
  const conflict = roleConflict(roles);
  if (conflict)
    return refuse(
      "invalid_input",
      `Roles conflict: ${conflict}.`,
      "Assign another provider or model to the verifier.",
    );
  if (roles.implementer?.edits === "none" && mode === "implement")
    return refuse(
      "invalid_input",
      `${roles.implementer.assignment} cannot edit and cannot be the implementer.`,
      "Assign a provider that can edit.",
    );
  if (preferredRole && !roles[preferredRole])
    return refuse(
      "invalid_input",
      `Nobody is assigned to ${preferredRole}.`,
      "Assign an agent to it, for this run or for this repository",
      { suggest: "assign_role", role: preferredRole, runId: null },
    );
  const guest = firstRole({ created: { ...frozen, type: "run_created", version: 1, runId }, roles });
  if (!roles[guest])
    return refuse(
      "invalid_input",
      `Mode ${mode} asks the ${guest} first, and nobody is assigned to it.`,
      "Assign an agent to it, for this run or for this repository",
      { suggest: "assign_role", role: guest, runId: null },
    );
  if (flags.length === 0) return emit({ type: "run_created", version: 1, runId, ...frozen });
  return emit({ type: "run_created", version: 2, runId, ...frozen, flags: [...flags] });
}
