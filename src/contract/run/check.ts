// Checks: the commands that decide whether work holds, and what each did on which tree.
import { z } from "zod";
import { artifactRef } from "../artifact.ts";
import { commandClass } from "../judge.ts";
import { checkKind } from "./policy.ts";

export const checkSpec = z.object({
  /** Stable in a run, e.g. `npm:test`, `cargo:test`, `configured:unit`. */
  id: z.string(),
  kind: checkKind,
  argv: z.tuple([z.string()], z.string()),
  /** Relative to the tree. */
  cwd: z.string(),
  /** Where it was found: `package.json#scripts.test`, `config`. */
  source: z.string(),
  timeoutMs: z.int().positive(),
});
export type CheckSpec = z.infer<typeof checkSpec>;

/**
 * `base`: the tree before the work. `work_base_rules`: the tree with the work, but everything that defines the checks
 * taken from the base commit. `work_own_rules`: the tree with the work exactly as it is, run too when the work
 * changes what defines a check.
 */
export const treeVariants = ["base", "work_base_rules", "work_own_rules"] as const;
export const treeVariant = z.enum(treeVariants);
export type TreeVariant = z.infer<typeof treeVariant>;

export const permissionRecord = z.object({
  decision: z.enum(["allowed", "allowed_explicit_user", "allowed_by_policy", "denied"]),
  class: commandClass,
  why: z.string(),
});

/** A command as it ran, for the record (R-33, S-3). */
export const commandRecord = z.object({
  argv: z.array(z.string()),
  cwd: z.string(),
  exitCode: z.int().nullable(),
  ended: z.enum(["exited", "timeout", "aborted", "output_limit", "not_started"]),
  durationMs: z.number().nonnegative(),
  stdout: artifactRef.nullable(),
  stderr: artifactRef.nullable(),
  permission: permissionRecord,
  sandbox: z.string(),
});
export type CommandRecord = z.infer<typeof commandRecord>;

export const checkOutcomes = ["passed", "failed", "nothing_to_run", "not_run"] as const;
export const checkOutcome = z.enum(checkOutcomes);
export type CheckOutcome = z.infer<typeof checkOutcome>;

export const checkResult = z.object({
  checkId: z.string(),
  /** The exact git tree it ran on. */
  tree: z.string(),
  variant: treeVariant,
  outcome: checkOutcome,
  /** Why it counts as that, in one line. */
  why: z.string(),
  command: commandRecord,
});
export type CheckResult = z.infer<typeof checkResult>;

/** A check's standing, comparing before and after. Only `pass` and `fixed` need nobody. */
export const checkStandings = [
  "pass",
  "fixed",
  "regression",
  "still_failing",
  "nothing_to_run",
  "not_run",
] as const;
export const checkStanding = z.enum(checkStandings);
export type CheckStanding = z.infer<typeof checkStanding>;
