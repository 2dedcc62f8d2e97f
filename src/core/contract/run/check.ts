// Validation checks: the commands that are run on a tree, their results, the planted mistakes, and the comparison with the base
// commit.
import { z } from "zod";
import { artifactRef, sha256Hex } from "../artifact.ts";
import { commandClass } from "../judge.ts";
import { checkKinds } from "../text.ts";
import { doubt, mostDoubts } from "./doubt.ts";

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
  /** Files that define it, found by tracing its command: a change of one of them changes the check. */
  files: z.array(z.string()).optional(),
  /** A nested project: its check is required only when the work changes a path below this folder. */
  within: z.string().min(1).optional(),
  /** Programs and packages that it needs and that were missing on this machine at discovery. */
  lacks: z.array(z.string()).optional(),
});
export type CheckSpec = z.infer<typeof checkSpec>;

/** `nothing_ran` is not a pass: the command ended without running a test. */
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

const functionReach = z.object({
  place: z.string(),
  tried: z.number().int(),
  noticed: z.number().int(),
  /** What was noticed is only an error or nothing in the place of a value; other values went unnoticed. */
  crudely: z.literal(true).optional(),
});

/** The sabotage control of one check: deliberate defects, and whether the check noticed them. */
const checkControl = z.object({
  /** A failing test inserted into a test of the base; `none` where no such test was found. */
  canary: z.enum(["noticed", "unnoticed", "none"]),
  planned: z.number().int(),
  /** Sabotages of the touched files that were run in the time, and those of them that the check noticed. */
  ran: z.number().int(),
  noticed: z.number().int(),
  /** Of these, the ones in the changed code: noticing one means that the check reaches the change. */
  reachRan: z.number().int(),
  reachNoticed: z.number().int(),
  /** The changed functions, each with the sabotages of its values that were tried and noticed. */
  functions: z.array(functionReach).max(200).optional(),
  /** Changed functions beyond that number. */
  moreFunctions: z.number().int().optional(),
  /** Test files that read the change and run, each with a wrong value planted; those in which it was noticed. */
  planted: z
    .object({
      tried: z.number().int(),
      noticed: z.number().int(),
      /** The others, and those of them that the work adds or changes. */
      unnoticed: z.array(z.string()).max(20).optional(),
      deaf: z.array(z.string()).max(20).optional(),
      /** Files without a trial, for lack of time. */
      untried: z.number().int().optional(),
    })
    .optional(),
  /** Trials of a slow check ran only so many test files: those that say something about the change. */
  limitedTo: z.number().int().optional(),
  /** Without the history of the repository it fails, and on the base commit it does not. */
  needsHistory: z.literal(true).optional(),
  /** Set when a change that means nothing, such as a comment, makes the check fail; a description. */
  touchy: z.string().optional(),
  /** Changed files with such a sabotage, and those of them in which it was noticed. */
  triedFiles: z.array(z.string()).max(40).optional(),
  reachedFiles: z.array(z.string()).max(40).optional(),
  /** Changed files without a conclusive sabotage: the first of them, and their number. */
  untriedFiles: z.array(z.string()).max(40).optional(),
  untried: z.number().int().optional(),
  /** Set when the changed source contains inputs and expected values of the tests; a description. */
  known: z.string().optional(),
  /** The source contains more such values than the tests ask for: calls with other arguments decide whether it is a doubt. */
  knownWider: z.literal(true).optional(),
  /** Descriptions of some unnoticed sabotages. */
  missed: z.array(z.string()).max(5),
  /** The sabotage that the check notices on the base commit and no longer on the work. */
  weakened: z.string().nullable(),
  /** The file whose last test passes alone on the base commit and, on the work, only after others. */
  dependent: z.string().optional(),
  /** The base commit fails, so there was no comparison: the check noticed no wrong expectation in the test files it runs. */
  blind: z.literal(true).optional(),
  budgetMs: z.number(),
  spentMs: z.number(),
});
export type CheckControl = z.infer<typeof checkControl>;

/** Calls of changed functions that were recorded while the check ran, and made again in a bare process outside of it (B-25). */
const checkReplay = z.object({
  /** Functions that a recorder was put around. */
  functions: z.number().int(),
  /** Different calls that were recorded and made again; those with the same result. */
  recorded: z.number().int(),
  same: z.number().int(),
  /** Calls that need what a test had set up, that give another result each time, or that cannot be written down. */
  setUp: z.number().int(),
  unsteady: z.number().int(),
  lost: z.number().int(),
  /** Calls with arguments near the recorded ones, and those whose result differs from the base commit's. */
  neighbours: z.number().int(),
  changed: z.number().int(),
  /** Functions without a call that could be made again. */
  unrecorded: z.array(z.string()).max(40).readonly(),
  /** Why nothing was replayed. */
  skipped: z.string().optional(),
  /** The call whose result differs outside of the tests, with both results. */
  stop: z.string().optional(),
  spentMs: z.number(),
});
export type CheckReplay = z.infer<typeof checkReplay>;

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
  /** The number of tests by the runner's output, when its format is known. */
  testsRun: z.number().int().nullable(),
  /** The number of test files that passed without a test, when the runner reports it. */
  silentFiles: z.number().int().nullable().optional(),
  /** The runner's report over a separate channel; absent where only its log exists. */
  reported: z.object({ ran: z.number().int(), failed: z.number().int() }).optional(),
  /** The first changed files that it read; absent where the system cannot trace reads. */
  partakes: z.array(z.string()).max(200).optional(),
  stdout: artifactRef.nullable(),
  stderr: artifactRef.nullable(),
  sandbox: z.string(),
  permission: permissionDecision,
  /** Why the result is neither a plain pass nor a plain failure. */
  note: z.string().nullable(),
  /** Names of the first tests that passed on the base commit and did not run or pass here. */
  missingTests: z.array(z.string()).max(20).optional(),
  /** Tests that passed on the base commit and fail here, in a check that failed on the base too. */
  newlyFailing: z.array(z.string()).max(20).optional(),
  /** Tests that failed at first and passed when the check ran again, with runs and failures here and on the base commit. */
  unsteady: z
    .object({
      tests: z.array(z.string()).max(20),
      ran: z.number().int(),
      failed: z.number().int(),
      base: z.object({ ran: z.number().int(), failed: z.number().int() }),
    })
    .optional(),
  /** New tests that pass on the base commit too: they prove nothing new. */
  idleTests: z.array(z.string()).max(20).optional(),
  /** It ran more than once, because the changed source reads its environment or the clock. */
  repeats: z
    .object({
      ran: z.number().int(),
      passed: z.number().int(),
      why: z.string(),
      /** The inputs of the changed source that were the same in every run. */
      same: z.string().optional(),
    })
    .optional(),
  /** Absent where no control ran: on the base, or without a pass. `off`: disabled by the user's policy. */
  control: z.union([checkControl, z.literal("off")]).optional(),
  /** What makes this result weaker, each as one record. */
  doubts: z.array(doubt).max(mostDoubts).optional(),
  /** Absent where nothing was to be replayed: on the base, without a pass, or without changed source. */
  replay: checkReplay.optional(),
  /** On the base commit: its tests by name and the report of its runner, for a later process that compares with them. */
  baseline: artifactRef.optional(),
  /** The tools and settings that it ran with, as a hash: a result is used again only where they are the same. */
  tools: sha256Hex.optional(),
  /** The result of an earlier run, or of `checks test`, on the same commit, with the same tools and settings, was used. */
  reused: z.object({ runId: z.string().optional(), at: z.number() }).optional(),
  /** It was stopped before its own timeout, because the time budget was exhausted: that is not a result for the tree. */
  cut: z.literal(true).optional(),
});
export type CheckEvidence = z.infer<typeof checkEvidence>;

const checkPlan = z.object({
  checks: z.array(checkSpec),
  /** Notes for the user: no check found, an unreadable manifest, a missing program. */
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
  /** It passed with fewer tests than before under the same rules: some tests no longer run. */
  "fewer_tests",
  /** By the definition of the base commit it passed before and fails now; by the approved new definition it passes. */
  "redefined",
] as const;
export const checkStanding = z.enum(checkStandings);
export type CheckComparisonResult = z.infer<typeof checkStanding>;
