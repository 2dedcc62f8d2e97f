// The role that a mode asks first: the guest role that is mapped to it, else the orchestrator.
import type { AskedRole } from "../../contract/index.ts";
import type { Run } from "../state/index.ts";

const mapped = { plan: "planner", research: "researcher", review: "critic", implement: "planner" } as const;

export function firstRole(run: Pick<Run, "created" | "roles">): AskedRole {
  const { preferredRole, mode } = run.created;
  if (preferredRole && run.roles[preferredRole]) return preferredRole;
  return run.roles[mapped[mode]] ? mapped[mode] : "orchestrator";
}
