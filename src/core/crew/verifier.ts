// The rules about the roles that verify: an agent never verifies its own work, and a repository or a program never
// replaces the verifier that the user named by a weaker one.
import {
  assignableRoles,
  fail,
  roleTable,
  type Actor,
  type ResolvedAssignment,
  type Role,
  type RoleAssignments,
} from "../contract/index.ts";
import type { Known } from "./crew.ts";

/** The program chooses the model itself, and nothing says which. */
const isOpen = ({ provider, identity, modelBacked }: Known): boolean =>
  modelBacked && identity === `${provider}:default`;

export interface Reviewed {
  readonly implementer?: Known | undefined;
  readonly verifier?: Known | undefined;
}

/** Refuses a crew in which an agent would verify its own work, or might. */
export function refuseSelfReview({ implementer, verifier }: Reviewed): void {
  if (!implementer || !verifier) return;
  const both = `${implementer.assignment} and ${verifier.assignment}`;
  if (implementer.identity === verifier.identity)
    fail("invalid_input", `${both} are the same agent, and an agent does not verify its own work.`, {
      remedy: "Give implementer and verifier to different agents, for example with --verifier.",
    });
  if (implementer.provider === verifier.provider && (isOpen(implementer) || isOpen(verifier)))
    fail("invalid_input", `${both} may be the same model: it is not known which one "default" is.`, {
      remedy: `Name both models (thehood models ${verifier.provider}), or give one of the roles to another agent.`,
    });
}

/** Every role whose answer counts as verification. */
export const verifyingRoles = assignableRoles.filter((role) => roleTable[role].satisfies === "verifier");

const isOfOthers = ({ source }: ResolvedAssignment, by: Actor): boolean =>
  source === "repo" || (source === "run" && by.kind !== "person");

/**
 * A stand-in such as the stub is not a model and finds nothing. A person may let one verify; a repository or a program may
 * not put one where the user's own configuration names a model.
 */
export function refuseWeakerVerifier(
  crew: RoleAssignments,
  users: Readonly<Partial<Record<Role, Known>>>,
  by: Actor,
): void {
  for (const role of verifyingRoles) {
    const mine = users[role];
    const got = crew[role];
    if (!mine?.modelBacked || !got || got.modelBacked || !isOfOthers(got, by)) continue;
    const asks = got.source === "repo" ? "This repository" : "A program that drives a run";
    fail("permission_denied", `${asks} cannot give the ${role} to ${got.assignment}, which is not a model.`, {
      remedy: `Your configuration names ${mine.assignment}. To use ${got.assignment} all the same, say so yourself: thehood run --${role} ${got.assignment}`,
    });
  }
}
