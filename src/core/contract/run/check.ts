// Validation checks: the commands that judge a tree, and the record of each time one ran.
import { z } from "zod";
import { artifactRef } from "../artifact.ts";
import { commandClass } from "../judge.ts";
import { checkKinds } from "../text.ts";

export const checkKind = z.enum(checkKinds);
export type CheckKind = z.infer<typeof checkKind>;

/**
 * One command that judges a tree. It is read from the base commit or from the user's configuration, never from a model.
 */
export const checkSpec = z.object({
  /** Stable within a run: `npm:test`, `cargo:test`, with the folder when it is not the root: `npm:test@web`. */
  id: z.string().min(1).max(300),
  kind: checkKind,
  argv: z.tuple([z.string()], z.string()),
  /** Relative to the root of the tree; "" is the root. */
  cwd: z.string(),
  /** Where it was found: `package.json#scripts.test`, `go.mod`, `config`. */
  source: z.string(),
  timeoutMs: z.number().int().positive(),
  /** Files that define it, found by following its command: changing one of them changes the check. */
  files: z.array(z.string()).optional(),
  /** A project inside the project: its check is needed only where the work changes something below this folder. */
  within: z.string().min(1).optional(),
  /** Programs and packages that it needs and this machine did not have when it was found. */
  lacks: z.array(z.string()).optional(),
});
export type CheckSpec = z.infer<typeof checkSpec>;

/** `nothing_ran` is not a pass: the command ended, and judged nothing. */
const checkResults = ["passed", "failed", "timed_out", "not_started", "nothing_ran"] as const;
const checkResult = z.enum(checkResults);
export type CheckResult = z.infer<typeof checkResult>;

/**
 * `base`: the base commit. `patched`: the tree with the patch. `guarded`: the tree with the patch, but with every
 * file that defines a check as it is in the base commit; run only when the patch changes such files.
 */
const checkVariants = ["base", "guarded", "patched"] as const;
const checkVariant = z.enum(checkVariants);
export type CheckVariant = z.infer<typeof checkVariant>;

export const permissionDecision = z.object({
  decision: z.enum(["allowed", "allowed_explicit_user", "allowed_by_policy", "denied"]),
  class: commandClass,
  why: z.string(),
});

/** The sabotage control of one check: things broken on purpose, and whether the check noticed. */
const checkControl = z.object({
  /** A failing test planted in a test of the base; `none` where no test was found to plant one in. */
  canary: z.enum(["noticed", "unnoticed", "none"]),
  planned: z.number().int(),
  /** Sabotages of the touched files that were run in the time, and those of them that the check noticed. */
  ran: z.number().int(),
  noticed: z.number().int(),
  /** Of these, the ones that break what the work changed: noticing one means that the check reaches the change. */
  reachRan: z.number().int(),
  reachNoticed: z.number().int(),
  /** Changed files that were broken in this way, and those of them in which it was noticed. */
  triedFiles: z.array(z.string()).max(40).optional(),
  reachedFiles: z.array(z.string()).max(40).optional(),
  /** Changed files in which nothing was noticed and nothing could be told: the first of them, and how many there are. */
  untriedFiles: z.array(z.string()).max(40).optional(),
  untried: z.number().int().optional(),
  /** The changed source holds the values of the tests, inputs and answers; in words. */
  known: z.string().optional(),
  /** Some that went unnoticed, in words. */
  missed: z.array(z.string()).max(5),
  /** The sabotage that the check notices on the base commit and no longer on the work. */
  weakened: z.string().nullable(),
  /** The file whose last test passes alone on the base commit and, on the work, only after others. */
  dependent: z.string().optional(),
  /** The base commit fails, so that nothing was compared: no wrong expectation of a test file that is run was noticed. */
  blind: z.literal(true).optional(),
  budgetMs: z.number(),
  spentMs: z.number(),
});
export type CheckControl = z.infer<typeof checkControl>;

export const checkEvidence = z.object({
  checkId: z.string(),
  kind: checkKind,
  variant: checkVariant,
  /** The git tree that was judged. */
  tree: z.string(),
  result: checkResult,
  argv: z.tuple([z.string()], z.string()),
  cwd: z.string(),
  exitCode: z.number().int().nullable(),
  durationMs: z.number(),
  /** How many tests the runner said it ran, when it said so in a way we know. */
  testsRun: z.number().int().nullable(),
  /** How many test files ended well without a test of their own, when the runner tells. */
  silentFiles: z.number().int().nullable().optional(),
  /** The runner's own report over a channel of ours; absent where its log is all there is. */
  reported: z.object({ ran: z.number().int(), failed: z.number().int() }).optional(),
  /** Changed files that it read, the first of them; absent where the system does not tell. */
  partakes: z.array(z.string()).max(200).optional(),
  stdout: artifactRef.nullable(),
  stderr: artifactRef.nullable(),
  sandbox: z.string(),
  permission: permissionDecision,
  /** Why there is no plain pass or fail. */
  note: z.string().nullable(),
  /** Tests that passed on the base commit and did not run or pass here, by name; the first of them. */
  missingTests: z.array(z.string()).max(20).optional(),
  /** Tests that passed on the base commit and fail here, in a check that failed there as well. */
  newlyFailing: z.array(z.string()).max(20).optional(),
  /** New tests that pass on the base commit too: they prove nothing new. */
  idleTests: z.array(z.string()).max(20).optional(),
  /** It ran more than once, because the changed source looks around or at the clock. */
  repeats: z
    .object({
      ran: z.number().int(),
      passed: z.number().int(),
      why: z.string(),
      /** What the changed source reads and was the same in every run. */
      same: z.string().optional(),
    })
    .optional(),
  /** Absent where no control ran: on the base, or without a pass. `off`: the user's policy leaves it out. */
  control: z.union([checkControl, z.literal("off")]).optional(),
  /** On the base commit: its tests by name and the report of its runner, for a later process that compares with them. */
  baseline: artifactRef.optional(),
  /** It was stopped before its own limit, because the time for it was used up: that says nothing about the tree. */
  cut: z.literal(true).optional(),
});
export type CheckEvidence = z.infer<typeof checkEvidence>;

const checkPlan = z.object({
  checks: z.array(checkSpec),
  /** Things a person should know: nothing found, a manifest that cannot be read, a missing program. */
  findings: z.array(z.string()),
});
/** The checks that discovery found in a tree. */
export type CheckPlan = z.infer<typeof checkPlan>;

export const commandRecord = z.object({
  argv: z.array(z.string()),
  cwd: z.string(),
  exitCode: z.int().nullable(),
  ended: z.enum(["exited", "timeout", "aborted", "output_limit", "not_started"]),
  durationMs: z.number().nonnegative(),
  stdout: artifactRef.nullable(),
  stderr: artifactRef.nullable(),
  permission: permissionDecision,
  sandbox: z.string(),
});
export type CommandRecord = z.infer<typeof commandRecord>;

/** `pass` and `fixed` need no decision. A `regression` can never be waived. */
const checkStandings = [
  "pass",
  "fixed",
  "regression",
  "still_failing",
  "nothing_to_run",
  "not_run",
  /** It ended well and ran fewer tests than before under the same rules: something keeps them from running. */
  "fewer_tests",
  /** As the base commit defines it, it passed before and fails now; as the approved work redefines it, it passes. */
  "redefined",
] as const;
export const checkStanding = z.enum(checkStandings);
export type CheckComparisonResult = z.infer<typeof checkStanding>;
