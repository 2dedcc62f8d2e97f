// Sends the commit of a run out: its branch and the evidence in one push, then the draft. Evidence that another clone or a
// colleague pushed is joined with the user's own first: the remote holds one ref of it for everyone.
import { join } from "node:path";
import process from "node:process";
import { fail, FailureError } from "../../core/contract/index.ts";
import type { Run } from "../../core/machine/index.ts";
import type { Proposal, ProposedRequest } from "../../operations/index.ts";
import { git, requireRepository, type Repository, type RepositoryLocation } from "../../platform/git/index.ts";
import { fetchRef, pushRefs, remoteTip, type PushAddress } from "../../platform/git/user/index.ts";
import { ensureFolder, writeDurably } from "../../platform/system/index.ts";
import { evidenceRef, joinEvidence } from "../../workspace/evidence/index.ts";
import { findOpenRequest, forgesAmong, openDraft, remotesOf, type Forges } from "../../workspace/forge/index.ts";
import type { RunsDeps } from "./deps.ts";
import { addressOf } from "./push-address.ts";

type Network = Awaited<ReturnType<RunsDeps["network"]>>;

/** Others push evidence at the same moment. */
const mostTries = 5;

const has = async (repository: Repository, commit: string): Promise<boolean> =>
  (await git(repository, ["cat-file", "-e", `${commit}^{commit}`], { accept: [0, 1, 128] })).exitCode === 0;

/** The tip of the remote's evidence that the user's own now holds; undefined where the remote has none. */
async function joined(repository: Repository, { git: network }: Network, address: PushAddress) {
  const theirs = await remoteTip(repository, network, address, evidenceRef);
  if (theirs === undefined) return undefined;
  if (!(await has(repository, theirs))) await fetchRef(repository, network, address, evidenceRef);
  if (await has(repository, theirs)) await joinEvidence(repository, theirs);
  return theirs;
}

async function pushOnce(repository: Repository, network: Network, address: PushAddress, commitSpec: string) {
  const { exitCode } = await git(repository, ["rev-parse", "--verify", "--quiet", evidenceRef], { accept: [0, 1] });
  const specs = [commitSpec, ...(exitCode === 0 ? [`${evidenceRef}:${evidenceRef}`] : [])];
  await pushRefs(repository, network.git, address, specs);
}

/** What a person can do depends on why the remote refused; git says why, and both usual reasons are named. */
async function push(repository: Repository, network: Network, address: PushAddress, commitSpec: string): Promise<void> {
  const { remote } = address;
  let seen: string | undefined;
  for (let tries = 1; ; tries += 1) {
    try {
      seen = await joined(repository, network, address);
      return await pushOnce(repository, network, address, commitSpec);
    } catch (error) {
      if (!(error instanceof FailureError) || error.failure.code !== "git_failed") throw error;
      const now = await remoteTip(repository, network.git, address, evidenceRef).catch(() => seen);
      if (now !== seen && tries < mostTries) continue;
      fail("git_failed", `${remote} did not take the push: ${error.failure.message}`, {
        remedy: `Nothing is lost. Without rights to push there, push to your fork: git remote set-url --push ${remote} URL. If somebody moved the branch, look first: git fetch ${remote}`,
      });
    }
  }
}

/** A request that was merged or closed is over: a push would bring its branch back, and open a second one. */
async function refuseOver(run: Run, forges: Forges, branch: string, { variables }: Network): Promise<void> {
  const { created, request } = run;
  const revises = created.continuesBranch === true || created.follows?.how === "revision";
  if (!revises && (request?.url ?? null) === null) return;
  if ((await findOpenRequest(forges, branch, variables)) !== undefined) return;
  fail("conflict", `The pull request of ${branch} is not open any more: it was merged or closed.`, {
    remedy: `Nothing was pushed and nothing is lost. Open it again on its page and repeat, or put the work on another branch: git switch -c NAME ${branch}`,
  });
}

export async function sendRequest(
  { root, stateDir }: RepositoryLocation,
  host: RunsDeps,
  run: Run,
  { commit, branch, title, body }: Proposal,
): Promise<ProposedRequest> {
  const repository = requireRepository(root);
  const address = addressOf(repository);
  const network = await host.network(root);
  const forges = forgesAmong(remotesOf(repository));
  if (forges) await refuseOver(run, forges, branch, network);
  const folder = join(stateDir, "requests");
  ensureFolder(folder);
  const bodyFile = join(folder, `${run.runId}.md`);
  writeDurably(bodyFile, `${bodyFile}.${process.pid}`, Buffer.from(body, "utf8"));
  await push(repository, network, address, `${commit}:refs/heads/${branch}`);
  if (!forges) return { url: null, created: false, bodyFile };
  return { ...(await openDraft(forges, { branch, title, body, bodyFile }, network.variables)), bodyFile };
}
