// The agent of a role in this run, resolved once and frozen: two names are compared by the agent that really answers
//
import { z } from "zod";
import { readAllowance } from "../provider.ts";
import { assignment, role } from "../role.ts";

/** `found`: nobody said anything, and these agents were found on the machine. */
const assignmentSources = ["run", "repo", "user", "default", "found"] as const;

export const resolvedAssignment = z.object({
  assignment,
  provider: z.string(),
  model: z.string(),
  /** Two assignments with one identity are one agent. */
  identity: z.string(),
  boundary: z.enum(["local", "external"]),
  modelBacked: z.boolean(),
  edits: z.enum(["worktree", "patch", "none"]),
  /** The bytes and calls by which it may look at files in one call, beside its directive. */
  reads: readAllowance.optional(),
  source: z.enum(assignmentSources),
  /** Why this one, where the runtime chose it. */
  why: z.string().max(300).optional(),
  /** Settings that the user froze for this provider in this run; opaque to the machine. */
  options: z.unknown().optional(),
});
export type ResolvedAssignment = z.infer<typeof resolvedAssignment>;

/** Not every role needs somebody. The integrator is runtime code and never assigned. */
export const roleAssignments = z.partialRecord(role.exclude(["integrator"]), resolvedAssignment);
export type RoleAssignments = z.infer<typeof roleAssignments>;
