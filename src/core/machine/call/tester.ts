// The agent that writes blind tests: never the implementer, and of another vendor where there is a choice.
import { vendorOfProvider, type ResolvedAssignment } from "../../contract/index.ts";
import type { Run } from "../state/index.ts";

/** QA goes first; the verifier is always another agent than the implementer. */
const order = ["qa", "critic", "verifier", "planner", "orchestrator", "researcher"] as const;

/** Null where the implementer is the only agent of the run. */
export function blindTester({ roles }: Pick<Run, "roles">): ResolvedAssignment | null {
  const { implementer } = roles;
  const others = order
    .map((role) => roles[role])
    .filter((agent) => agent !== undefined)
    .filter(({ identity }) => identity !== implementer?.identity);
  const vendor = implementer ? vendorOfProvider(implementer.provider) : null;
  return others.find(({ provider }) => vendorOfProvider(provider) !== vendor) ?? others[0] ?? null;
}
