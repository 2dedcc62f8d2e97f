// A pull request for the commit of a run: what would be pushed, then the push with the evidence, then the draft. Each step
// can be repeated: a push of the same commit changes nothing, and an open request is found again.
import { join } from "node:path";
import { fail } from "../../core/contract/index.ts";
import { buildFinalReport, requestText } from "../../core/machine/view/index.ts";
import type { Proposal, ProposedRequest } from "../../operations/index.ts";
import { git, readRepositoryConfig, requireRepository, type Repository } from "../../platform/git/index.ts";
import type { RepositoryLocation } from "../../platform/git/index.ts";
import { protocolOf, pushProtocols, pushRefs, type PushAddress } from "../../platform/git/user/index.ts";
import { ensureFolder, writeDurably } from "../../platform/system/index.ts";
import { withoutUserinfo } from "../../workspace/checkout/worktree/index.ts";
import { earlierCommit } from "../../workspace/evidence/index.ts";
import { forgeOf, openDraft } from "../../workspace/forge/index.ts";
import type { RunsDeps } from "./deps.ts";
import type { OnDemand } from "./on-demand.ts";

const evidence = "refs/thehood/evidence";
const mostCommits = 20;

function addressOf(repository: Repository): PushAddress {
  const entries = readRepositoryConfig(repository).filter(({ section }) => section === "remote");
  const remote = entries.find(({ subsection }) => subsection === "origin")?.subsection ?? entries[0]?.subsection ?? "";
  const last = (name: string) =>
    entries.findLast((entry) => entry.subsection === remote && entry.name === name)?.value ?? undefined;
  const url = last("pushurl") ?? last("url");
  if (url === undefined || !/^\w[\w./-]*$/.test(remote))
    fail("invalid_input", "There is no remote to push to.", { remedy: "Add one: git remote add origin URL" });
  const protocol = protocolOf(url);
  if (!pushProtocols.has(protocol))
    fail("invalid_input", `The remote ${remote} uses ${protocol}, which is not allowed.`, {
      remedy: "Use ssh or https.",
    });
  return { remote, url, protocol, pushUrl: last("pushurl") !== undefined };
}

const verifyLines = (runId: string, remote: string, commit: string): string[] => [
  "```sh",
  `git fetch ${remote} ${evidence}:${evidence}`,
  `thehood verify ${commit.slice(0, 12)}`,
  "```",
  "",
  `Made by run ${runId}. The evidence is signed; its author gives you the key with \`thehood key\`.`,
];

const textOf = async (repository: Repository, args: string[]): Promise<string> =>
  (await git(repository, args)).stdout.toString("utf8").trim();

/** The branch that holds the commit: the run's own, or the one that is checked out. */
async function branchOf(repository: Repository, on: string): Promise<string> {
  if (on !== "HEAD") return on;
  const { exitCode, stdout } = await git(repository, ["symbolic-ref", "--quiet", "--short", "HEAD"], {
    accept: [0, 1],
  });
  if (exitCode !== 0)
    fail("invalid_input", "HEAD is detached, so there is no branch to push.", {
      remedy: "Make a branch at the commit: git switch -c NAME",
    });
  return stdout.toString("utf8").trim();
}

export async function proposalOf(
  { root }: RepositoryLocation,
  opened: OnDemand["opened"],
  runId: string,
): Promise<Proposal> {
  const repository = requireRepository(root);
  const run = await (await opened()).read(runId);
  const made = await earlierCommit(repository, run);
  if (!made)
    fail("illegal_transition", `The work of ${runId} is not committed, so there is nothing to push.`, {
      remedy: "Commit it with thehood commit, or start a run with --branch NAME.",
    });
  const address = addressOf(repository);
  const branch = await branchOf(repository, made.on);
  const title = await textOf(repository, ["log", "-1", "--format=%s", made.commit, "--"]);
  const newest = ["log", `--max-count=${mostCommits}`, "--format=%h %s", made.commit];
  const listed = await textOf(repository, [...newest, "--not", `--remotes=${address.remote}`, "--"]);
  const { report } = buildFinalReport(run);
  return {
    commit: made.commit,
    branch,
    remote: address.remote,
    url: withoutUserinfo(address.url),
    program: forgeOf(address.url)?.program ?? null,
    title,
    body: requestText(report, verifyLines(runId, address.remote, made.commit)),
    commits: listed === "" ? [] : listed.split("\n"),
  };
}

export async function propose(
  { root, stateDir }: RepositoryLocation,
  host: RunsDeps,
  runId: string,
  { commit, branch, title, body }: Proposal,
): Promise<ProposedRequest> {
  const repository = requireRepository(root);
  const address = addressOf(repository);
  const { git: network, variables } = await host.network(root);
  const folder = join(stateDir, "requests");
  ensureFolder(folder);
  const bodyFile = join(folder, `${runId}.md`);
  writeDurably(bodyFile, `${bodyFile}.new`, Buffer.from(body, "utf8"));
  const { exitCode } = await git(repository, ["rev-parse", "--verify", "--quiet", evidence], { accept: [0, 1] });
  const specs = [`${commit}:refs/heads/${branch}`, ...(exitCode === 0 ? [`${evidence}:${evidence}`] : [])];
  await pushRefs(repository, network, address, specs);
  const forge = forgeOf(address.url);
  if (!forge) return { url: null, created: false, bodyFile };
  return { ...(await openDraft(forge, { branch, title, body, bodyFile }, variables)), bodyFile };
}
