// Artifacts: large content (prompts, replies, diffs, logs) stored as files named by their hash; events hold these refs.
import { z } from "zod";

export const artifactKinds = [
  "directive",
  "plan",
  "agent",
  "reconciliation",
  "provider_wait",
  "provider_invocation",
  "log",
  "diff",
  "metadata",
  "review_routing",
  "critic_trigger",
  "revision_packet",
  "context",
  "remote_context",
  "transfer_manifest",
  "fanout",
  "report",
  "progress",
  "memory_packet",
  "agent_board",
  "evidence",
  "repo_findings",
] as const;

const artifactKind = z.enum(artifactKinds);
export type ArtifactKind = z.infer<typeof artifactKind>;

export const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);

export const artifactRef = z.object({
  /** `sha256:<hex>`, the name of the bytes. */
  ref: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  kind: artifactKind,
  bytes: z.number().int().nonnegative(),
  mediaType: z.string(),
  /** One short line for people. */
  summary: z.string().max(300),
});
export type ArtifactRef = z.infer<typeof artifactRef>;
