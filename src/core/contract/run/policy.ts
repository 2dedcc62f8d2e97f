// The policy of a run: what needs approval, the paths, the checks and the budgets. Frozen into `run_created`; set by the user.
import { z } from "zod";
import { approvalModes, integrationOrders, transferPurposes } from "../text.ts";
import { checkKind } from "./check.ts";
import { doubtPolicy } from "./doubt.ts";

export const approvalMode = z.enum(approvalModes);
export type ApprovalMode = z.infer<typeof approvalMode>;

export const transferPurpose = z.enum(transferPurposes);
export type TransferPurpose = z.infer<typeof transferPurpose>;

const transferRisks = ["public", "repo_context", "private_runtime_memory", "secret_risk"] as const;
export const transferRisk = z.enum(transferRisks);
export type TransferRisk = z.infer<typeof transferRisk>;

/** First match wins. No rule can pass `secret_risk`. */
const transferRule = z.strictObject({
  provider: z.string().optional(),
  model: z.string().optional(),
  purposes: z.array(transferPurpose).optional(),
  riskClasses: z.array(transferRisk).optional(),
  maxBytes: z.int().nonnegative().optional(),
  decision: z.enum(["manual", "auto_approve"]),
});
export type TransferRule = z.infer<typeof transferRule>;

/** A receiver of data, and the most bytes of one call to it. */
export const destinationBounds = z.strictObject({
  provider: z.string().min(1).max(200),
  /** The server, or the name under which the provider sends data: two places are two receivers. */
  place: z.string().min(1).max(500),
  /** The message, and the files that may be read in addition. */
  maxBytes: z.int().positive(),
});
export type DestinationBounds = z.infer<typeof destinationBounds>;

/** A destination that the user allowed at a gate: transfers within the bounds and without secret risk pass. */
export const allowedDestination = z.strictObject({
  ...destinationBounds.shape,
  /** When it was allowed, as an ISO date with time. */
  since: z.iso.datetime(),
  /** The run at whose gate it was allowed. */
  runId: z.string().max(100).optional(),
});
export type AllowedDestination = z.infer<typeof allowedDestination>;

export const transferPolicy = z.strictObject({
  mode: z.enum(["manual", "auto_low_risk"]),
  maxAutoApproveBytes: z.int().nonnegative(),
  rules: z.array(transferRule).max(100),
});
export type TransferPolicy = z.infer<typeof transferPolicy>;

export const budgets = z.strictObject({
  /** Main-loop provider responses, refused ones included. */
  maxIterations: z.int().min(1).max(1_000),
  /** Observed tokens, in and out, of every call of the run; null for no limit. */
  maxTokens: z.int().positive().nullable(),
  /** Time in which the runtime worked or waited for a provider; waiting at a gate does not count. */
  maxMinutes: z.number().positive().nullable(),
  /** US dollars, as providers report them or estimated from tokens; null for no limit. */
  maxUsd: z.number().positive().nullable().optional(),
  /** Refused responses of one role in a row. */
  maxSchemaFailures: z.int().min(1).max(20),
  /** The number of repairs after which a gate opens. */
  maxRevisions: z.int().min(0).max(100),
  callTimeoutMs: z.int().positive(),
  checkTimeoutMs: z.int().positive(),
});
export type Budgets = z.infer<typeof budgets>;

/** A command that is configured as a check. */
export const configuredCheck = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9._:/-]{0,99}$/),
  kind: checkKind,
  argv: z.tuple([z.string().min(1)], z.string()),
  /** Relative to the repository. */
  cwd: z.string().optional(),
  timeoutMs: z.int().positive().optional(),
});
export type ConfiguredCheck = z.infer<typeof configuredCheck>;

/** Ids must be unique: of two checks with one id only one would run. */
export const configuredChecks = z
  .array(configuredCheck)
  .max(100)
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, {
    message: "has two checks with the same id",
  });

/** The prefix of the id of every check that a repository's configuration adds. */
export const repoCheckPrefix = "repo:";

export const policy = z.strictObject({
  approvals: approvalMode,
  externalTransfers: transferPolicy,
  budgets,
  /** Globs relative to the repository; empty means everything that is not disallowed. */
  allowedPaths: z.array(z.string()).max(1_000),
  disallowedPaths: z.array(z.string()).max(1_000),
  /** In addition to the paths that are always protected. */
  protectedPaths: z.array(z.string()).max(1_000),
  /** Files that only look like tests, as declared by the user who started the run. */
  productPaths: z.array(z.string().max(500)).max(200).optional(),
  /** Configured checks; they replace discovery when `discoverChecks` is false. */
  checks: z.array(configuredCheck).max(100),
  discoverChecks: z.boolean(),
  /** Of the checks that the project defines only those in this folder count, as the user who started the run said. */
  checksBelow: z.string().min(1).max(500).optional(),
  /** Whether checks are also run on deliberately broken work. Only the user's own policy can disable it. */
  sabotage: z.enum(["on", "off"]).optional(),
  /** Another agent writes tests for the goal without seeing the work, and the runtime runs them. Absent means off. */
  blindTests: z.enum(["on", "off"]).optional(),
  /** Absent in runs that were created before: the default applies. */
  doubts: doubtPolicy.optional(),
  /** Checks that the user waived at the start; `validation` for a project without checks. A regression cannot be waived. */
  waivedChecks: z.array(z.string()).max(100),
  editRequiresApproval: z.boolean(),
  dependencyInstallRequiresApproval: z.boolean(),
  networkRequiresApproval: z.boolean(),
  /** `THEHOOD_ALLOW_DIRECT_EDIT=1`. */
  directEdit: z.boolean(),
  /** The program that drives a run (an MCP host) may answer its gates. */
  hostMayApprove: z.boolean(),
  /** A run on autopilot pushes its branch and opens its draft without a person. */
  autopilotMayPush: z.boolean().optional(),
  fanoutMaxItems: z.int().min(1).max(8),
  /** The number of parallel calls of one fan-out. Older runs without the field use 1. */
  fanoutParallel: z.int().min(1).max(8).default(1),
  githubConnectorConfirmed: z.boolean(),
  /** `packets`: a planner also gets the text of earlier runs, not only references to them. */
  memory: z.enum(["refs", "packets"]).optional(),
  /** `late`: work is verified first and then applied. `early`: applied first (B-1). */
  integrate: z.enum(integrationOrders),
});
export type Policy = z.infer<typeof policy>;
