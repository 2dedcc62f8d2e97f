// The asked agent is the one that the run froze: a name that means another agent by now is not asked (R-2, S-12).
import { FailureError, type ProviderPort, type ResolvedAssignment } from "../../../core/contract/index.ts";

function difference(provider: ProviderPort, frozen: ResolvedAssignment): string | undefined {
  const { boundary, reads } = provider.traits;
  if (boundary !== frozen.boundary) return `its data boundary was ${frozen.boundary} and is ${boundary}`;
  const resolved = provider.resolve(frozen.model);
  if (!resolved.ok) return resolved.problem;
  if (resolved.identity !== frozen.identity)
    return `it answered as ${frozen.identity} and would answer as ${resolved.identity}`;
  const more =
    reads && ((frozen.reads?.calls ?? 0) < reads.calls || (frozen.reads?.bytes ?? 0) < reads.bytes);
  return more ? "it would be let read more than when the run was created" : undefined;
}

export function insistSameAgent(provider: ProviderPort, frozen: ResolvedAssignment): void {
  const changed = difference(provider, frozen);
  if (changed === undefined) return;
  throw new FailureError({
    code: "conflict",
    message: `${frozen.assignment} no longer means what it meant when the run was created: ${changed}.`,
    remedy: "Put the configuration back as it was, give the role to somebody anew, or start a new run.",
  });
}
