// Starting a run: what a person can say about it.
import { z } from "zod";
import { approvalMode, assignment, role, runMode } from "../../contract/index.ts";

const line = z.string().trim().min(1).max(4_000);
/** From the top of the repository; a `./` in front says nothing. */
const insideGlob = z
  .string()
  .min(1)
  .max(500)
  .refine(
    (glob) => !/^([/\\~]|[A-Za-z]:)/.test(glob) && !glob.split(/[/\\]/).includes(".."),
    "a path is named from the top of the repository and stays in it, such as src/**",
  )
  .transform((glob) => glob.replace(/^(\.\/)+/, ""));
const globs = z.array(insideGlob).max(200);

export const startRun = z.strictObject({
  goal: z
    .string()
    .trim()
    .min(1, "a goal cannot be empty")
    .max(20_000, "a goal has at most 20,000 characters"),
  mode: runMode.default("implement"),
  roles: z.partialRecord(role.exclude(["integrator"]), assignment).default({}),
  /** A ready-made team; roles named beside it go first. */
  team: z.string().min(1).max(60).optional(),
  constraints: z.array(line).max(50).default([]),
  acceptanceCriteria: z.array(line).max(50).default([]),
  /** Shell lines; they replace what would be found in the project. */
  checks: z.array(line).max(50).default([]),
  /** The user waives validation for this run. */
  noChecks: z.boolean().default(false),
  /** Checks that may stand as they are, named by their command. A check that this work breaks is never waived. */
  waive: z.array(line).max(50).default([]),
  allowedPaths: globs.default([]),
  disallowedPaths: globs.default([]),
  approvals: approvalMode.optional(),
  maxIterations: z.int().min(1).max(1_000).optional(),
  maxTokens: z.int().positive().optional(),
  maxMinutes: z.number().positive().optional(),
  /** What the stub plays, as JSON. */
  stubScript: z.unknown().optional(),
  preferredRole: role.exclude(["integrator", "implementer"]).optional(),
});
export type StartRun = z.infer<typeof startRun>;
export type StartRunInput = z.input<typeof startRun>;
