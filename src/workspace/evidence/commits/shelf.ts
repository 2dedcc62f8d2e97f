// Evidence in the repository: one ref, a tree with a folder for each change (named by its patch id) and in it one file for
// each run. It is pushed and fetched like any ref, so that others can verify: git push origin refs/thehood/evidence
import { fail } from "../../../core/contract/index.ts";
import { git, moveOwnRef, type Repository } from "../../../platform/git/index.ts";
import { rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

export const evidenceRef = "refs/thehood/evidence";
const mostTries = 40;
/** Longer files are not evidence of this program. */
const longest = 4 << 20;

const folderOf = (patchId: string): string => `${patchId.slice(0, 2)}/${patchId}`;
const idOf = (stdout: Buffer): string => stdout.toString("latin1").trim();

async function tipOf(repository: Repository): Promise<string | undefined> {
  const args = ["rev-parse", "--verify", "--quiet", evidenceRef];
  const { stdout, exitCode } = await git(repository, args, { accept: [0, 1] });
  return exitCode === 0 ? idOf(stdout) : undefined;
}

export interface Filed {
  readonly runId: string;
  readonly text: string;
}

export async function shelvedEvidence(repository: Repository, patchId: string): Promise<Filed[]> {
  const tip = await tipOf(repository);
  if (tip === undefined) return [];
  const listed = await git(repository, ["ls-tree", "-l", "--full-tree", tip, "--", `${folderOf(patchId)}/`]);
  const filed: Filed[] = [];
  for (const line of listed.stdout.toString("latin1").split("\n")) {
    const found = /^100644 blob ([0-9a-f]+) +(\d+)\t.*\/(run_[a-z0-9]+)\.json$/.exec(line);
    if (!found?.[1] || !found[3] || Number(found[2]) > longest) continue;
    const { stdout } = await git(repository, ["cat-file", "-p", found[1]]);
    filed.push({ runId: found[3], text: stdout.toString("utf8") });
  }
  return filed;
}

/** Files one text under each of the changes. */
export async function fileEvidence(
  repository: Repository,
  patchIds: readonly string[],
  { runId, text }: Filed,
): Promise<void> {
  const blob = idOf((await git(repository, ["hash-object", "-w", "--stdin"], { stdin: text })).stdout);
  const indexFile = join(repository.gitDir, `thehood-evidence-${process.pid}.index`);
  try {
    for (let tries = 0; tries < mostTries; tries++) {
      const tip = await tipOf(repository);
      await git(repository, ["read-tree", ...(tip === undefined ? ["--empty"] : [tip])], { indexFile });
      const stdin = patchIds.map((id) => `100644 ${blob}\t${folderOf(id)}/${runId}.json\0`).join("");
      await git(repository, ["update-index", "-z", "--add", "--index-info"], { indexFile, stdin });
      const tree = idOf((await git(repository, ["write-tree"], { indexFile })).stdout);
      const parents = tip === undefined ? [] : ["-p", tip];
      const made = ["commit-tree", tree, ...parents, "-F", "-"];
      const commit = idOf((await git(repository, made, { stdin: `evidence of ${runId}\n` })).stdout);
      if (await moveOwnRef(repository, evidenceRef, commit, tip ?? null)) return;
    }
  } finally {
    for (const end of ["", ".lock"]) rmSync(`${indexFile}${end}`, { force: true });
  }
  fail("git_failed", `${evidenceRef} moves faster than evidence can be filed.`, { remedy: "Try again." });
}
