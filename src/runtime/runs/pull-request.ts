// A pull request for the commit of a run: what would be pushed, then the push with the evidence, then the draft. Each step
// can be repeated: a push of the same commit changes nothing, and an open request is found again.
import { fail, FailureError, type Actor, type ArtifactRef, type CiResult } from "../../core/contract/index.ts";
import { buildFinalReport, requestText } from "../../core/machine/view/index.ts";
import type { Proposal, ProposedRequest } from "../../operations/index.ts";
import { git, requireRepository, type Repository, type RepositoryLocation } from "../../platform/git/index.ts";
import { earlierCommit, evidenceRef } from "../../workspace/evidence/index.ts";
import { forgesAmong, remotesOf } from "../../workspace/forge/index.ts";
import type { RunsDeps } from "./deps.ts";
import type { OnDemand } from "./on-demand.ts";
import { currentBranch, destinationOf, refuseDefaultBranch } from "./push-address.ts";
import { sendRequest } from "./send-request.ts";

const mostCommits = 20;

const verifyLines = (runId: string, remote: string, commit: string): string[] => [
  "```sh",
  `git fetch ${remote} ${evidenceRef}:${evidenceRef}`,
  `thehood verify ${commit.slice(0, 12)}`,
  "```",
  "",
  `Made by run ${runId}. The evidence is signed; its author gives you the key with \`thehood key\`.`,
];

const textOf = async (repository: Repository, args: string[]): Promise<string> =>
  (await git(repository, args)).stdout.toString("utf8").trim();

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
  const { remote, url, into } = destinationOf({ root });
  const branch = made.on === "HEAD" ? await currentBranch(repository) : made.on;
  await refuseDefaultBranch(repository, branch);
  const title = await textOf(repository, ["log", "-1", "--format=%s", made.commit, "--"]);
  const newest = ["log", `--max-count=${mostCommits}`, "--abbrev=12", "--format=%h %s", made.commit];
  const listed = await textOf(repository, [...newest, "--not", `--remotes=${remote}`, "--"]);
  const { report } = buildFinalReport(run);
  return {
    commit: made.commit,
    branch,
    remote,
    url,
    into: into ?? null,
    program: forgesAmong(remotesOf(repository))?.head.program ?? null,
    title,
    body: requestText(report, verifyLines(runId, remote, made.commit)),
    commits: listed === "" ? [] : listed.split("\n"),
  };
}

/** Pushed first, then opened, then recorded: after a crash between them the next try finds what is there. */
export async function propose(
  { place, host, opened, moving }: RequestPlace,
  runId: string,
  proposal: Proposal,
  by: Actor,
): Promise<ProposedRequest> {
  const sent = await sendRequest(place, host, await (await opened()).read(runId), proposal);
  const { commit, branch, remote } = proposal;
  const request = { commit, branch, remote, url: sent.url, created: sent.created };
  await (await moving()).engine.submit(runId, { type: "record_request", request, by });
  return sent;
}

type CiNews = Omit<CiResult, "logs"> & { readonly texts: readonly { readonly name: string; readonly text: string }[] };

export async function recordCi(
  moving: OnDemand["moving"],
  runId: string,
  { texts, ...ci }: CiNews,
  by: Actor,
): Promise<void> {
  const { engine, store } = await moving();
  const logs: ArtifactRef[] = [];
  for (const { name, text } of texts)
    logs.push(await store.artifacts.put(text, { kind: "evidence", mediaType: "text/plain", summary: name }));
  await engine.submit(runId, { type: "record_ci", ci: { ...ci, logs }, by });
}

interface RequestPlace {
  readonly place: RepositoryLocation;
  readonly host: RunsDeps;
  readonly opened: OnDemand["opened"];
  readonly moving: OnDemand["moving"];
}

/** The pull request that a person asked for at the gate. Trouble is reported; the commit stays. */
export async function reportRequest(runId: string, tell: (line: string) => void, where: RequestPlace): Promise<void> {
  const { place, opened } = where;
  try {
    const { created } = await (await opened()).read(runId);
    const proposal = await proposalOf(place, opened, runId);
    const { remote, url: address, into } = proposal;
    const approved = created.pullRequest;
    const same = approved?.remote === remote && approved.url === address && (approved.into ?? null) === into;
    if (approved && !same)
      fail(
        "conflict",
        `The remote is now ${remote} (${address}), and ${approved.remote} (${approved.url}) was approved.`,
      );
    const { url, bodyFile } = await propose(where, runId, proposal, { kind: "policy", surface: "runtime" });
    tell(
      url === null
        ? `· pushed to ${proposal.branch} of ${proposal.remote}; open the pull request with the text in ${bodyFile}`
        : `· draft pull request: ${url}`,
    );
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    tell(`· no pull request: ${error.failure.message} Later: thehood pr ${runId} --yes`);
  }
}
