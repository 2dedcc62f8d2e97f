// One pass over the files of a plan, yielding their bytes. A file that changed since the plan stops the pass; the caller
// leaves it out and starts again, so that the manifest matches the bytes.
import { createHash } from "node:crypto";
import { contentOf } from "./read/content.ts";
import type { FileOpener } from "./read/open.ts";
import type { BundledFile, BundlePlan, BundleRequest, ExclusionReason } from "./shapes.ts";

export class FileChangedError extends Error {
  readonly path: string;
  readonly reason: ExclusionReason;
  constructor(path: string, reason: ExclusionReason = "changed_during_read") {
    super(`${path} changed while it was packed`);
    this.name = "ChangedFile";
    this.path = path;
    this.reason = reason;
  }
}

/** The bytes of one file of the plan. Throws ChangedFile at the end at the latest. */
export function* bytesOf(
  plan: BundlePlan,
  file: BundledFile,
  secrets: BundleRequest["secrets"],
  opener: FileOpener,
): Generator<Uint8Array, void> {
  const opened = opener.open(file.from?.path ?? file.path, file.from?.root);
  if ("refused" in opened) throw new FileChangedError(file.path, opened.refused);
  try {
    const hash = createHash("sha256");
    let bytes = 0;
    for (const piece of contentOf(opened.fd, { ...secrets, file: file.path }, plan.onSecret === "redact")) {
      bytes += piece.length;
      if (bytes > file.bytes) throw new FileChangedError(file.path);
      hash.update(piece);
      yield piece;
    }
    if (hash.digest("hex") !== file.sha256) throw new FileChangedError(file.path);
  } finally {
    opened.close();
  }
}

/** The plan without a file that changed. */
function without(plan: BundlePlan, path: string, reason: ExclusionReason): BundlePlan {
  const files = plan.files.filter((file) => file.path !== path);
  const excluded = [...plan.excluded, { path, reason }].sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    ...plan,
    files,
    excluded,
    totalBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    estimatedTokens: files.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

/** Runs `pass` until no file changes during it. Each round leaves one file out, so it ends. */
export async function steadily<T>(
  plan: BundlePlan,
  pass: (plan: BundlePlan) => Promise<T>,
): Promise<{ plan: BundlePlan; result: T }> {
  for (let now = plan; ;) {
    try {
      return { plan: now, result: await pass(now) };
    } catch (error) {
      if (!(error instanceof FileChangedError)) throw error;
      now = without(now, error.path, error.reason);
    }
  }
}
