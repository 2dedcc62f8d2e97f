// The tip of the branch of a pull request as the base of a run: fetched with the user's own git, and taken only where
// evidence of the user's own runs is bound to it, or where the user wants it without.
import { fail } from "../../core/contract/index.ts";
import type { BranchTip, RequestBase } from "../../operations/index.ts";
import { git, requireRepository, type Repository, type RepositoryLocation } from "../../platform/git/index.ts";
import { fetchRef } from "../../platform/git/user/index.ts";
import { evidenceRef, knownKey, refuseName, runsNamedBy, verifyCommits } from "../../workspace/evidence/index.ts";
import type { RunsDeps } from "./deps.ts";
import type { OnDemand } from "./on-demand.ts";
import { addressOf } from "./push-address.ts";

const answerOf = async (repository: Repository, args: string[]): Promise<string | undefined> => {
  const { exitCode, stdout } = await git(repository, args, { accept: [0, 1, 128] });
  return exitCode === 0 ? stdout.toString("utf8").trim() : undefined;
};

const commitAt = (repository: Repository, name: string) =>
  answerOf(repository, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]);

async function fetchTip(repository: Repository, host: RunsDeps, { branch, head }: BranchTip): Promise<void> {
  await refuseName(repository, branch);
  const address = addressOf(repository);
  const { git: network } = await host.network(repository.top);
  if ((await commitAt(repository, head)) === undefined)
    await fetchRef(repository, network, address, `refs/heads/${branch}`);
  if ((await commitAt(repository, head)) === undefined)
    fail("conflict", `${head.slice(0, 12)} is not on the branch ${branch} of ${address.remote} any more.`, {
      remedy: "Somebody moved the branch just now. Try again.",
    });
}

/** The run whose signed evidence is bound to the newest commit that names one. */
async function makerOf(repository: Repository, host: RunsDeps, { branch, head, anyBranch }: BranchTip) {
  const key = knownKey(host.evidenceDir);
  const judge = async (commit: string) =>
    key ? (await verifyCommits(repository, commit, [key])).find(({ verdict }) => verdict === "verified") : undefined;
  const tip = await judge(head);
  if (tip?.run !== undefined) return tip.run;
  if (!anyBranch)
    fail(
      "permission_denied",
      `The tip of ${branch} (${head.slice(0, 12)}) carries no evidence of a run of yours: somebody else made it, or changed it since.`,
      {
        remedy: `Look at it, then repeat with --any-branch. If a colleague's run made it: git fetch origin ${evidenceRef}:${evidenceRef}, and thehood verify ${head.slice(0, 12)} --key FILE.`,
      },
    );
  for (const { commit, run } of await runsNamedBy(repository, head)) if ((await judge(commit))?.run === run) return run;
  return null;
}

/** A branch that is checked out is worked on in the checkout; any other one is moved when the work is committed. */
async function isCheckedOut(repository: Repository, { branch, head }: BranchTip): Promise<boolean> {
  const own = await answerOf(repository, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  const local = await commitAt(repository, `refs/heads/${branch}`);
  if (own === branch) {
    if (local !== head)
      fail("conflict", `You are on ${branch}, and it is not at the tip of the pull request (${head.slice(0, 12)}).`, {
        remedy: "Bring it there (git pull --ff-only, or push your commits), or switch to another branch.",
      });
    return true;
  }
  const format = ["for-each-ref", "--format=%(worktreepath)", `refs/heads/${branch}`];
  const elsewhere = await answerOf(repository, format);
  if (elsewhere)
    fail("conflict", `${branch} is checked out in ${elsewhere}.`, { remedy: "Start the run in that folder." });
  if (local !== undefined) await refuseOwnCommits(repository, branch, local, head);
  return false;
}

async function refuseOwnCommits(repository: Repository, branch: string, local: string, head: string): Promise<void> {
  const { exitCode } = await git(repository, ["merge-base", "--is-ancestor", local, head], { accept: [0, 1] });
  if (exitCode !== 0)
    fail("conflict", `Your branch ${branch} has commits that the pull request does not have.`, {
      remedy: `Push them, or rename it: git branch -m ${branch} OTHER`,
    });
}

export async function requestBase(
  { root }: RepositoryLocation,
  host: RunsDeps,
  opened: OnDemand["opened"],
  tip: BranchTip,
): Promise<RequestBase> {
  const repository = requireRepository(root);
  await fetchTip(repository, host, tip);
  const maker = await makerOf(repository, host, tip);
  const checkedOut = await isCheckedOut(repository, tip);
  const { store, read } = await opened();
  if (maker === null || !(await store.log.row(maker))) return { checkedOut, made: null };
  const { limits, spent } = await read(maker);
  const left = (limit: number | null, used: number) => (limit === null ? null : limit - used);
  return {
    checkedOut,
    made: {
      runId: maker,
      left: {
        answers: limits.responses - spent.responses,
        tokens: left(limits.tokens, spent.tokens),
        usd: left(limits.usd, spent.usd),
        minutes: limits.ms === null ? null : (limits.ms - spent.ms) / 60_000,
      },
    },
  };
}
