// A patch on its way to a commit: noted before the tree is touched, so that a run that was killed between the two can be
// taken up by applying the same answer again.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { fail } from "../../../core/contract/index.ts";
import { headCommit } from "../../../workspace/checkout/worktree/index.ts";
import { type Repository, stateHome } from "../../../platform/git/index.ts";
import { writeDurably } from "../../../platform/system/index.ts";

const shape = z.object({ patchSha256: z.string(), head: z.string(), paths: z.array(z.string()) });
type Pending = z.infer<typeof shape>;

const fileOf = (repository: Repository): string => join(stateHome(repository), "apply", "commit.json");

const patchHash = (patch: Uint8Array): string => createHash("sha256").update(patch).digest("hex");

export async function noteCommit(
  repository: Repository,
  patch: Uint8Array,
  paths: readonly string[],
): Promise<void> {
  const head = (await headCommit(repository))?.commit ?? "";
  const file = fileOf(repository);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const noted: Pending = { patchSha256: patchHash(patch), head, paths: [...paths] };
  writeDurably(file, `${file}.${process.pid}`, Buffer.from(JSON.stringify(noted)));
}

/** The patch that a killed run left uncommitted; undefined when there is none, or the branch has moved since. */
export async function pendingCommit(repository: Repository): Promise<Pending | undefined> {
  const file = fileOf(repository);
  if (!existsSync(file)) return undefined;
  const noted = shape.safeParse(JSON.parse(readFileSync(file, "utf8"))).data;
  return noted?.head === (await headCommit(repository))?.commit ? noted : undefined;
}

/** Another patch must not be committed beside the files of one that was left. */
export async function insistSamePatch(repository: Repository, patch: Uint8Array): Promise<void> {
  const left = await pendingCommit(repository);
  if (!left || left.patchSha256 === patchHash(patch)) return;
  fail(
    "conflict",
    `The tree holds the patch of a run that was stopped before its commit: ${left.paths[0] ?? ""} …`,
    {
      remedy: "Apply that answer again to commit it, or undo its files.",
    },
  );
}

export const commitDone = (repository: Repository): void => rmSync(fileOf(repository), { force: true });
