// Evidence that the runtime itself captured from the repository: inspection, context packs, git evidence, transfer manifests.
import { z } from "zod";
import { artifactRef, sha256Hex } from "../artifact.ts";
import { readAllowance } from "../provider.ts";
import { allowedDestination, transferPurpose, transferRisk } from "./policy.ts";

export const repositoryInspection = z.object({
  findings: artifactRef.nullable(),
  safe: z.boolean(),
  problems: z.array(z.string()),
  git: z.boolean(),
  head: z.string().nullable(),
  clean: z.boolean().nullable(),
  /** The confinement of agent programs and checks, by the runner that starts them. Absent in runs of older versions. */
  confinement: z.enum(["bubblewrap", "none"]).optional(),
  /** AGENTS.md and CLAUDE.md of the base commit. */
  instructions: z.array(artifactRef).optional(),
});
export type RepositoryInspection = z.infer<typeof repositoryInspection>;

export const repoContext = z.object({
  context: artifactRef,
  files: z.array(z.object({ path: z.string(), truncated: z.boolean() })),
  omitted: z.int().nonnegative(),
});
export type RepoContext = z.infer<typeof repoContext>;

export const remoteContext = z.object({
  context: artifactRef,
  owner: z.string(),
  repo: z.string(),
  branch: z.string().nullable(),
  commit: z.string(),
});
export type RemoteContext = z.infer<typeof remoteContext>;

export const gitEvidence = z.object({
  summary: artifactRef,
  status: artifactRef.nullable(),
  diff: artifactRef.nullable(),
  changedPaths: z.array(z.string()),
  /** False when a git command failed: then empty fields prove nothing. */
  ok: z.boolean(),
  head: z.string().nullable(),
});
export type GitEvidence = z.infer<typeof gitEvidence>;

export const transferManifest = z.object({
  manifest: artifactRef,
  destination: z.object({ provider: z.string(), model: z.string(), place: z.string().optional() }),
  purpose: transferPurpose,
  /** The hash of exactly the bytes that may be sent. */
  contentSha256: sha256Hex,
  totalBytes: z.int().nonnegative(),
  /** The files that the provider may read in addition, in this one call. */
  mayRead: readAllowance.optional(),
  /** The permission of the user for this destination, as it was when the manifest was written. */
  allowed: allowedDestination.optional(),
  risk: transferRisk,
  riskReasons: z.array(z.string()),
  phrase: z.string(),
});
export type TransferManifest = z.infer<typeof transferManifest>;
