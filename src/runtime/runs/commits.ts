// Commits of runs and the evidence about them, on one repository.
import { FailureError, fail, type CommitVerdict } from "../../core/contract/index.ts";
import {
  commitRun,
  earlierCommit,
  type EarlierCommit,
  knownKey,
  readPublicKeys,
  refuseBranch,
  userKey,
  verifyCommits,
} from "../../workspace/evidence/index.ts";
import { git, requireRepository, type RepositoryLocation } from "../../platform/git/index.ts";
import { redact } from "../../core/secrets/index.ts";
import { sha256 } from "../../platform/store/index.ts";
import type { RunsDeps } from "./deps.ts";
import type { OnDemand } from "./on-demand.ts";

export async function commitIn(
  { root }: RepositoryLocation,
  host: RunsDeps,
  opened: OnDemand["opened"],
  runId: string,
  branch?: string,
): Promise<{ commit: string }> {
  const { store, read } = await opened();
  const [run, head] = [await read(runId), await store.log.head(runId)];
  const secrets = await host.secrets();
  const { commit } = await commitRun({
    repository: requireRepository(root),
    run,
    key: userKey(host.evidenceDir),
    author: await host.author(root),
    head: head ?? { seq: 0, hash: "" },
    program: `thehood ${host.version}`,
    sha256,
    redact: (text) => redact(text, secrets).text,
    branch,
  });
  return { commit };
}

export const checkBranch = ({ root }: RepositoryLocation, name: string): Promise<void> =>
  refuseBranch(requireRepository(root), name);

/** The commit that holds the work of a run already. */
export async function committedEarlier(
  { root }: RepositoryLocation,
  opened: OnDemand["opened"],
  runId: string,
): Promise<EarlierCommit | undefined> {
  return earlierCommit(requireRepository(root), await (await opened()).read(runId));
}

/** Whether HEAD holds the commit of a run, also one that was made on a branch and merged since. */
export async function isUnderHead(
  place: RepositoryLocation,
  opened: OnDemand["opened"],
  runId: string,
): Promise<boolean> {
  const made = await committedEarlier(place, opened, runId);
  if (!made) return false;
  const args = ["merge-base", "--is-ancestor", made.commit, "HEAD"];
  return (await git(requireRepository(place.root), args, { accept: [0, 1] })).exitCode === 0;
}

interface CommitWork {
  readonly earlier: () => Promise<EarlierCommit | undefined>;
  readonly make: () => Promise<{ commit: string }>;
}

/** If the commit fails, the work stays where it is and the reason is reported. True if the commit was made now. */
export async function reportCommit(runId: string, tell: (line: string) => void, work: CommitWork): Promise<boolean> {
  try {
    const earlier = await work.earlier();
    if (earlier) {
      tell(`· committed already: on ${earlier.on} as ${earlier.commit.slice(0, 12)}`);
      return false;
    }
    const { commit } = await work.make();
    tell(`· committed as ${commit.slice(0, 12)}; verify it: thehood verify ${commit.slice(0, 12)}`);
    return true;
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    tell(`· not committed: ${error.failure.message} Later: thehood commit ${runId}`);
    return false;
  }
}

export async function verifyIn(
  { root }: RepositoryLocation,
  { evidenceDir }: RunsDeps,
  range: string,
  { keys: given, signers }: { readonly keys: string | undefined; readonly signers: string | undefined },
): Promise<readonly CommitVerdict[]> {
  const own = knownKey(evidenceDir);
  const keys = given === undefined ? (own ? [own] : []) : readPublicKeys(given);
  if (keys.length === 0)
    fail("invalid_input", "There is no key to verify with.", {
      remedy: "Ask the author of the commits for the output of `thehood key`, and give it with --key FILE.",
    });
  return verifyCommits(requireRepository(root), range, keys, signers);
}
