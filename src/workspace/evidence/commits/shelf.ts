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

/** One file of evidence, as its folder and its name must be. */
const isEvidence = (path: string): boolean => /^([0-9a-f]{2})\/\1[0-9a-f]{38,62}\/run_[a-z0-9]+\.json$/.test(path);

/** The files of a tip by their paths; what is not evidence is left out. */
async function filesAt(repository: Repository, tip: string): Promise<Map<string, string>> {
  const { stdout } = await git(repository, ["ls-tree", "-r", "-l", "-z", "--full-tree", tip]);
  const files = new Map<string, string>();
  for (const line of stdout.toString("latin1").split("\0")) {
    const [, blob, size, path] = /^100644 blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(line) ?? [];
    if (blob && path && isEvidence(path) && Number(size) <= longest) files.set(path, blob);
  }
  return files;
}

/**
 * Takes in the evidence of another clone, whose tip is here already: the ref then holds both, so that it can be pushed over
 * that tip. A file that both have stays as it is here.
 */
export async function joinEvidence(repository: Repository, theirs: string): Promise<void> {
  await changeShelf(repository, `join evidence\n`, async (tip) => {
    const held = ["merge-base", "--is-ancestor", theirs, tip ?? theirs];
    if (tip !== undefined && (await git(repository, held, { accept: [0, 1] })).exitCode === 0) return undefined;
    const own = tip === undefined ? new Map<string, string>() : await filesAt(repository, tip);
    const missing = [...(await filesAt(repository, theirs))].filter(([path]) => !own.has(path));
    return { parents: [theirs], entries: missing.map(([path, blob]) => `100644 ${blob}\t${path}\0`).join("") };
  });
}

interface ShelfChange {
  /** Beside the present tip. */
  readonly parents: readonly string[];
  readonly entries: string;
}

/** Files one text under each of the changes. */
export async function fileEvidence(
  repository: Repository,
  patchIds: readonly string[],
  { runId, text }: Filed,
): Promise<void> {
  const blob = idOf((await git(repository, ["hash-object", "-w", "--stdin"], { stdin: text })).stdout);
  const entries = patchIds.map((id) => `100644 ${blob}\t${folderOf(id)}/${runId}.json\0`).join("");
  await changeShelf(repository, `evidence of ${runId}\n`, async () => ({ parents: [], entries }));
}

/** `change` is asked for each try with the tip of that moment; undefined where nothing is to be done. */
async function changeShelf(
  repository: Repository,
  message: string,
  change: (tip: string | undefined) => Promise<ShelfChange | undefined>,
): Promise<void> {
  const indexFile = join(repository.gitDir, `thehood-evidence-${process.pid}.index`);
  try {
    for (let tries = 0; tries < mostTries; tries++) {
      const tip = await tipOf(repository);
      const wanted = await change(tip);
      if (!wanted) return;
      await git(repository, ["read-tree", ...(tip === undefined ? ["--empty"] : [tip])], { indexFile });
      await git(repository, ["update-index", "-z", "--add", "--index-info"], { indexFile, stdin: wanted.entries });
      const tree = idOf((await git(repository, ["write-tree"], { indexFile })).stdout);
      const parents = [...(tip === undefined ? [] : [tip]), ...wanted.parents].flatMap((one) => ["-p", one]);
      const made = ["commit-tree", tree, ...parents, "-F", "-"];
      const commit = idOf((await git(repository, made, { stdin: message })).stdout);
      if (await moveOwnRef(repository, evidenceRef, commit, tip ?? null)) return;
    }
  } finally {
    for (const end of ["", ".lock"]) rmSync(`${indexFile}${end}`, { force: true });
  }
  fail("git_failed", `${evidenceRef} moves faster than evidence can be filed.`, { remedy: "Try again." });
}
