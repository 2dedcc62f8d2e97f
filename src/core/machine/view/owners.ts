// The owner of a lane, and the owner's authority.
import { roleTable, type ArtifactRef, type Role } from "../../contract/index.ts";
import type { Run } from "../state/index.ts";
import type { Authority, Owner, Refs } from "./shapes.ts";

export const runtimeOwner: Owner = { kind: "runtime", label: "Runtime", role: null, assignment: null };
export const operatorOwner: Owner = { kind: "operator", label: "Operator", role: null, assignment: null };

export function ownerOf(run: Run, role: Role): Owner {
  if (roleTable[role].runtime) return { ...runtimeOwner, label: roleTable[role].label, role };
  const assigned = role === "integrator" ? undefined : run.roles[role];
  return {
    kind: assigned ? "agent" : "nobody",
    label: roleTable[role].label,
    role,
    assignment: assigned?.assignment ?? null,
  };
}

export const authorityOf = (role: Role): Authority =>
  roleTable[role].runtime ? "runtime" : roleTable[role].edit ? "edit" : "read_only";

export const noRefs: Refs = { artifacts: [], events: [] };

export function ownerRefs(
  artifacts: readonly (ArtifactRef | null | undefined)[],
  events: readonly (number | undefined)[],
): Refs {
  return {
    artifacts: artifacts.flatMap((ref) => (ref ? [ref.ref] : [])),
    events: events.filter((seq) => seq !== undefined),
  };
}
