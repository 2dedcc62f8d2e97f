// A worker's patch: captured, judged, applied to the checkout, compared with it, and undone.
import { z } from "zod";
import { artifactRef, sha256Hex } from "../artifact.ts";
import { protectedEffects } from "../protected-change.ts";

/** A property of the work that a diff does not show, or that is easy to miss in it. */
const captureFlagKinds = [
  "mode_change",
  "submodule",
  "embedded_repository",
  "ignored_file",
  "too_large",
  "odd_name",
  "stash",
] as const;
const captureFlag = z.object({
  kind: z.enum(captureFlagKinds),
  path: z.string(),
  message: z.string(),
});
export type CaptureFlag = z.infer<typeof captureFlag>;

export const capturedPatch = z.object({
  /** From `fromTree` to `tree`: exactly the bytes that will be applied. */
  patch: artifactRef,
  patchSha256: sha256Hex,
  /** From the base commit to `tree`: the whole work. Equals `patch` on the first pass. */
  full: artifactRef,
  fromTree: z.string(),
  /** The git tree of the worker's final state: commits, index, unstaged and untracked files. */
  tree: z.string(),
  changedPaths: z.array(z.string()),
  workspace: z.enum(["worktree", "direct"]),
  /** A ref under refs/thehood/keep/ that holds the work. */
  keptRef: z.string().nullable(),
  flags: z.array(captureFlag).max(200).optional(),
});
export type CapturedPatch = z.infer<typeof capturedPatch>;

export const patchJudgement = z.object({
  verdict: z.enum(["accept", "approval", "reject"]),
  reason: z.string(),
  message: z.string(),
  paths: z.array(z.string()),
  protectedPaths: z.array(
    z.object({
      path: z.string(),
      why: z.string(),
      change: z.enum(["added", "changed", "removed"]).optional(),
      effect: z.enum(protectedEffects).optional(),
    }),
  ),
  /** Paths that look like tests, were declared as product by a person, and are used by the product. */
  declaredPaths: z.array(z.string()).optional(),
  /** Paths that define a check. If there are any, both variants of the check run. */
  definingPaths: z.array(z.string()),
  /** Outside `allowedPaths`, or inside `disallowedPaths`. */
  outsidePaths: z.array(z.string()),
  findings: z.array(
    z.object({ reason: z.string(), verdict: z.string(), path: z.string().optional(), message: z.string() }),
  ),
  secretCount: z.int().nonnegative(),
  /** Risk signals for routing: dependency, ci, auth, schema, config, … */
  signals: z.array(z.string()),
  /** Every path is documentation or copy. */
  docsOnly: z.boolean(),
  addedLines: z.int().nonnegative(),
  removedLines: z.int().nonnegative(),
});
export type PatchJudgement = z.infer<typeof patchJudgement>;

export const integrationReport = z.object({
  report: artifactRef,
  paths: z.array(z.string()),
  /** The bytes applied are the bytes captured. */
  patchSha256: sha256Hex,
  tree: z.string(),
  alreadyApplied: z.boolean(),
});
export type IntegrationReport = z.infer<typeof integrationReport>;

/** The commit and tree that work is measured against. */
export const baseState = z.object({ commit: z.string(), tree: z.string() });
export type BaseState = z.infer<typeof baseState>;

/** The checkout, compared with the expected tree. */
export const checkoutLook = z.object({
  moment: z.enum(["before", "last"]),
  head: z.string().nullable(),
  /** The tracked files and the files of the work. */
  tree: z.string(),
  /** The same with every other file that git does not ignore. */
  whole: z.string(),
  expected: z.string(),
  /** Paths that differ, at most 200 of them. */
  paths: z.array(z.string()).max(200),
});
export type CheckoutState = z.infer<typeof checkoutLook>;

/** The result of an undo: the work of a run was removed from the checkout. */
export const takenOut = z.object({
  /** The checkout without the work, as a tree. */
  tree: z.string(),
  /** The paths that the undo changed. */
  paths: z.array(z.string()),
  /** Paths of the work that were missing in the checkout before the undo. */
  gone: z.array(z.string()),
  /** Paths whose last commit still holds the work. */
  committed: z.array(z.string()),
  /** A ref to the checkout before the undo. */
  keptRef: z.string().nullable(),
});
export type UndoResult = z.infer<typeof takenOut>;
