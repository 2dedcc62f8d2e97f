// The schemas of the configuration files. The user's file may set everything; the repository's private file and the shared
// file may only tighten the policy; the private one may also assign agents.
import { z } from "zod";
import { noticeSettings } from "./notice.ts";
import { ownPrice } from "./price.ts";
import { providersInput } from "./provider.ts";
import { assignment, role } from "./role.ts";
import { assignableRoles, integrationOrders } from "./text.ts";
import { doubtPolicy } from "./run/doubt.ts";
import {
  allowedDestination,
  approvalMode,
  budgets,
  configuredChecks,
  type Policy,
  transferPolicy,
} from "./run/policy.ts";
import { fromSeedNames, repoSeedNames, userSeedNames } from "./seed-names.ts";

const assignments = z.partialRecord(role.exclude(["integrator"]), assignment);
const globs = z.array(z.string().min(1).max(500)).max(1_000);

/** Fields of a policy that the options or the environment of one run set, and no file. */
type OfOneRun = "productPaths" | "checksBelow" | "waivedChecks" | "directEdit";

/** The part of the policy that the user may set; an absent field keeps its default. */
export const policyInput = z.strictObject({
  approvals: approvalMode.optional(),
  externalTransfers: transferPolicy.partial().optional(),
  budgets: budgets.partial().optional(),
  allowedPaths: globs.optional(),
  disallowedPaths: globs.optional(),
  protectedPaths: globs.optional(),
  checks: configuredChecks.optional(),
  discoverChecks: z.boolean().optional(),
  sabotage: z.enum(["on", "off"]).optional(),
  blindTests: z.enum(["on", "off"]).optional(),
  doubts: doubtPolicy.partial().optional(),
  editRequiresApproval: z.boolean().optional(),
  dependencyInstallRequiresApproval: z.boolean().optional(),
  networkRequiresApproval: z.boolean().optional(),
  hostMayApprove: z.boolean().optional(),
  autopilotMayPush: z.boolean().optional(),
  fanoutMaxItems: z.int().min(1).max(8).optional(),
  fanoutParallel: z.int().min(1).max(8).optional(),
  githubConnectorConfirmed: z.boolean().optional(),
  memory: z.enum(["refs", "packets"]).optional(),
  integrate: z.enum(integrationOrders).optional(),
} satisfies Record<Exclude<keyof Policy, OfOneRun>, z.ZodType>);

/** `$THEHOOD_HOME/config.json`, else `$XDG_CONFIG_HOME/thehood/config.json`, else `~/.config/thehood/config.json`. */
const userFile = z.strictObject({
  $schema: z.string().optional(),
  version: z.literal(1).default(1),
  ...userSeedNames,
  policy: policyInput.optional(),
  roles: assignments.optional(),
  /** Agents that replace a role's agent when it fails, in order; `any` for every role without its own list. */
  fallbacks: z.partialRecord(z.enum([...assignableRoles, "any"]), z.array(assignment).max(8)).optional(),
  providers: providersInput.optional(),
  /** Prices of agents, for the estimate where a provider tells tokens only; they go before our list. */
  prices: z.array(ownPrice).max(200).optional(),
  /** Destinations that the user allowed at a gate; `thehood access` lists and revokes them. */
  destinations: z.array(allowedDestination).max(200).optional(),
  /** The user's own teams by name. One with the name of a built-in team replaces it. */
  teams: z
    .record(
      z.string().regex(/^[a-z][a-z0-9-]{0,59}$/),
      z.strictObject({ about: z.string().max(200).optional(), roles: assignments }),
    )
    .optional(),
  /** A PostgreSQL database that several machines share; without it runs are in the embedded store. */
  store: z
    .strictObject({
      url: z.string().min(1).max(2_000),
      team: z.string().max(60).optional(),
      artifacts: z.string().max(2_000).optional(),
    })
    .optional(),
  /** What is removed without a command. Records and kept work never are. */
  prune: z
    .strictObject({
      automatic: z.boolean().optional(),
      scratchDays: z.int().min(2).max(3_650).optional(),
      scratchMegabytes: z.int().min(0).max(10_000_000).optional(),
      artifactDays: z.int().min(2).max(3_650).optional(),
      artifactMegabytes: z.int().min(0).max(10_000_000).optional(),
    })
    .optional(),
  /** Where the process that works sends a notice when a gate waits and when a run has ended. */
  notify: noticeSettings.optional(),
  secrets: z
    .strictObject({
      rules: z
        .array(
          z.strictObject({
            label: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
            pattern: z.string().min(1).max(1_000),
          }),
        )
        .max(200)
        .optional(),
      /** Hashes of findings that are not secrets. */
      allow: z
        .array(z.string().regex(/^[0-9a-f]{64}$/))
        .max(10_000)
        .optional(),
    })
    .optional(),
});

export const userConfig = userFile.transform(({ approvalPolicy, externalTransfers, defaults, ...config }) => {
  const { policy } = config;
  const fromAliases = fromSeedNames({ approvalPolicy, defaults });
  const transfers = {
    ...externalTransfers,
    ...approvalPolicy?.externalTransfers,
    ...policy?.externalTransfers,
  };
  const budget = { ...fromAliases.budgets, ...policy?.budgets };
  const merged: z.infer<typeof policyInput> = {
    ...fromAliases,
    ...policy,
    ...(Object.keys(transfers).length > 0 ? { externalTransfers: transfers } : {}),
    ...(Object.keys(budget).length > 0 ? { budgets: budget } : {}),
  };
  return Object.keys(merged).length > 0 || policy ? { ...config, policy: merged } : config;
});
export type UserConfig = z.infer<typeof userConfig>;

/** The part of the policy that a repository may tighten. */
export const repoPolicyInput = z.strictObject({
  approvals: approvalMode.optional(),
  budgets: budgets.partial().optional(),
  maxAutoApproveBytes: z.int().nonnegative().optional(),
  allowedPaths: globs.optional(),
  disallowedPaths: globs.optional(),
  protectedPaths: globs.optional(),
  checks: configuredChecks.optional(),
  editRequiresApproval: z.literal(true).optional(),
  dependencyInstallRequiresApproval: z.literal(true).optional(),
  networkRequiresApproval: z.literal(true).optional(),
  fanoutMaxItems: z.int().min(1).max(8).optional(),
  fanoutParallel: z.int().min(1).max(8).optional(),
});

/** `.thehood/config.json` of a repository. It cannot loosen the user's policy. */
const repoFile = z.strictObject({
  $schema: z.string().optional(),
  version: z.literal(1).default(1),
  ...repoSeedNames,
  policy: repoPolicyInput.optional(),
  roles: assignments.optional(),
});

export const repoConfig = repoFile.transform(({ approvalPolicy, externalTransfers, defaults, ...config }) => {
  const { policy } = config;
  const fromAliases = fromSeedNames({ approvalPolicy, defaults }) as NonNullable<typeof policy>;
  const { maxAutoApproveBytes } = { ...externalTransfers, ...approvalPolicy?.externalTransfers };
  const merged = {
    ...fromAliases,
    ...(maxAutoApproveBytes === undefined ? {} : { maxAutoApproveBytes }),
    ...policy,
    ...(fromAliases.budgets ? { budgets: { ...fromAliases.budgets, ...policy?.budgets } } : {}),
  };
  return Object.keys(merged).length > 0 || policy ? { ...config, policy: merged } : config;
});
export type RepoConfig = z.infer<typeof repoConfig>;

/** `thehood.json`: committed, so that a team shares it. It can only add checks and restrictions. */
export const sharedConfig = z.strictObject({
  $schema: z.string().optional(),
  version: z.literal(1).default(1),
  checks: configuredChecks.optional(),
  protectedPaths: globs.optional(),
  disallowedPaths: globs.optional(),
});
export type SharedConfig = z.infer<typeof sharedConfig>;

/** All files, parsed; `repo` includes the settings of the shared file. */
export interface Configs {
  readonly user: UserConfig;
  readonly repo: RepoConfig;
}
