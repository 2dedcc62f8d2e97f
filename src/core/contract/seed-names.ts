// Alternative names of settings that other config files of this kind use: `approvalPolicy.mode`, `externalTransfers` and
// `defaults.*`. The same setting in `policy` has precedence.
import { z } from "zod";
import { approvalMode, budgets, transferPolicy } from "./run/policy.ts";

const globs = z.array(z.string().min(1).max(500)).max(1_000);

/** The whole setting, or only its mode. */
const transfers = z.union([
  transferPolicy.shape.mode.transform((mode): Partial<z.infer<typeof transferPolicy>> => ({ mode })),
  transferPolicy.partial(),
]);

const defaults = <Flag extends z.ZodType<boolean>>(flag: Flag) =>
  z.strictObject({
    maxIterations: budgets.shape.maxIterations.optional(),
    fanoutMaxItems: z.int().min(1).max(8).optional(),
    protectedTestPaths: globs.optional(),
    editRequiresApproval: flag.optional(),
    dependencyInstallRequiresApproval: flag.optional(),
    networkRequiresApproval: flag.optional(),
  });

export const userSeedNames = {
  approvalPolicy: z.strictObject({ mode: approvalMode.optional(), externalTransfers: transfers.optional() }).optional(),
  externalTransfers: transfers.optional(),
  defaults: defaults(z.boolean()).optional(),
};

/** A repository can only tighten: it cannot set a rule or a mode that allows more. */
const tighter = z.strictObject({
  mode: z.literal("manual").optional(),
  maxAutoApproveBytes: z.int().nonnegative().optional(),
});

export const repoSeedNames = {
  approvalPolicy: z.strictObject({ mode: approvalMode.optional(), externalTransfers: tighter.optional() }).optional(),
  externalTransfers: tighter.optional(),
  defaults: defaults(z.literal(true)).optional(),
};

interface AliasedSettings {
  readonly approvalPolicy?: { readonly mode?: z.infer<typeof approvalMode> | undefined } | undefined;
  readonly defaults?: z.infer<ReturnType<typeof defaults>> | undefined;
}

const given = <T extends object>(value: T): Partial<T> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Partial<T>;

/** The settings that user and repository files share, under the names of the policy. */
export function fromSeedNames({ approvalPolicy, defaults: aliases = {} }: AliasedSettings) {
  const { maxIterations, protectedTestPaths, ...flags } = aliases;
  return given({
    approvals: approvalPolicy?.mode,
    protectedPaths: protectedTestPaths,
    budgets: maxIterations === undefined ? undefined : { maxIterations },
    ...flags,
  });
}
