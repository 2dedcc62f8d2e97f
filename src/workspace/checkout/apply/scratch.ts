// Applies a patch to a scratch index: git's own opinion of what the patch does, without touching checkout or index.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { FailureError } from "../../../core/contract/index.ts";
import { changedPaths, type Patch, printPatch } from "../../../core/patch/index.ts";
import { fromBytePath, git, splitRecords, type RawChange, type Repository } from "../../../platform/git/index.ts";
import { listChanges } from "../worktree/index.ts";
import { temporaryRoot } from "../../../platform/system/index.ts";
import type { CheckoutView } from "./view.ts";

export type Scratch =
  | { readonly ok: true; readonly tree: string; readonly changes: readonly RawChange[] }
  | { readonly ok: false; readonly message: string };

interface ScratchOptions {
  /** An empty folder for the index. */
  readonly folder: string;
  /** New objects stay in that folder too: nothing at all is written to the repository. */
  readonly aside: boolean;
}

const sorted = (paths: Iterable<string>) => [...new Set(paths)].toSorted();
const equal = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((path, index) => path === b[index]);

/** Names git reads a section by: the new one, or the old one of a deletion. */
const sectionNames = (patch: Patch) => patch.sections.map((section) => section.newPath ?? section.oldPath ?? "");

/** The tree that the patch makes of `fromTree`, if git sees the same paths in it as we do. */
export async function applyToScratch(
  repository: Repository,
  patch: { readonly bytes: Uint8Array; readonly patch: Patch },
  fromTree: string,
  { folder, aside }: ScratchOptions,
): Promise<Scratch> {
  const objectDirectory = join(folder, "objects");
  if (aside) mkdirSync(objectDirectory);
  const around = { indexFile: join(folder, "index"), ...(aside ? { objectDirectory } : {}) };
  try {
    await git(repository, ["read-tree", fromTree], around);
    // `numstat` shows the names git really saw, also where a quoted NUL hides the rest of one.
    const applied = await git(
      repository,
      ["apply", "--numstat", "-z", "--cached", "--apply", "--whitespace=nowarn", "-"],
      {
        ...around,
        stdin: patch.bytes,
      },
    );
    const seen = splitRecords(applied.stdout).map((record) => fromBytePath(record.split("\t").slice(2).join("\t")));
    if (!equal(sorted(seen), sorted(sectionNames(patch.patch))))
      return { ok: false, message: `git reads other paths in this patch: ${seen.join(", ")}` };
    const { stdout } = await git(repository, ["write-tree"], around);
    const tree = stdout.toString("latin1").trim();
    const changes = await listChanges(repository, fromTree, tree, aside ? { objectDirectory } : {});
    const paths = sorted(changes.map((change) => fromBytePath(change.path)));
    if (!equal(paths, sorted(changedPaths(patch.patch))))
      return { ok: false, message: `git would change other paths than the patch names: ${paths.join(", ")}` };
    return { ok: true, tree, changes };
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === "git_failed")
      return { ok: false, message: error.failure.message };
    throw error;
  }
}

/** git needs LF in header lines also where the files have CRLF; content lines keep their own. */
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
