// git's part of an integration, done before the lock is taken: it needs the last commit and nothing of the checkout.
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { printPatch, type Patch } from "../../../core/patch/index.ts";
import { temporaryRoot } from "../../../platform/system/index.ts";
import { applyToScratch, type Scratch } from "./scratch.ts";
import type { CheckoutView } from "./view.ts";

/** git wants LF in header lines also where the files have CRLF; content lines keep their own. */
export const forGit = (bytes: Uint8Array, patch: Patch) =>
  patch.eol === "\n" ? bytes : printPatch({ ...patch, eol: "\n" });

export interface ReadyPatch {
  readonly fromTree: string;
  readonly bytes: Uint8Array;
  readonly scratch: Extract<Scratch, { ok: true }>;
}

/** git's result for the patch. Undefined where that does not come about here: under the lock it is tried once more. */
export async function makeReady(
  given: Uint8Array,
  { view, patch }: { readonly view: CheckoutView; readonly patch: Patch },
): Promise<ReadyPatch | undefined> {
  const bytes = forGit(given, patch);
  const folder = mkdtempSync(join(temporaryRoot(), "thehood-scratch-"));
  try {
    const options = { folder, aside: false };
    const scratch = await applyToScratch(view.repository, { bytes, patch }, view.knownTree, options);
    return scratch.ok ? { fromTree: view.knownTree, bytes, scratch } : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
