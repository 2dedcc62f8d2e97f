// A context pack as it is stored: which files, which bytes of them, and what was left out.
import { z } from "zod";

export const contextLimits = {
  treePaths: 300,
  files: 24,
  fileBytes: 4_000,
  namedFileBytes: 16_000,
  totalBytes: 60_000,
} as const;

const packedFile = z.object({
  path: z.string(),
  /** Of the file as it may be shown, that is after redaction; offsets count these bytes. */
  bytes: z.int().nonnegative(),
  startByte: z.int().nonnegative(),
  endByte: z.int().nonnegative(),
  truncated: z.boolean(),
  sha256: z.string(),
  excerpt: z.string(),
});
export type PackedFile = z.infer<typeof packedFile>;

export const contextPack = z.object({
  kind: z.literal("repo_context"),
  goal: z.string(),
  requestedPaths: z.array(z.string()),
  limits: z.record(z.string(), z.number()),
  tree: z.array(z.string()),
  omittedTreePathCount: z.int().nonnegative(),
  files: z.array(packedFile),
  notes: z.array(z.string()),
});
export type ContextPack = z.infer<typeof contextPack>;

/** The latest state of each file over several packs, in the order in which they were captured. */
export function latestFiles(packs: readonly Pick<ContextPack, "files">[]): Map<string, PackedFile> {
  return new Map(packs.flatMap((pack) => pack.files).map((file) => [file.path, file]));
}
