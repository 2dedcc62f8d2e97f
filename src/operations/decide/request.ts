// The work of a run as a draft pull request.
import { fail } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { flag } from "../define/index.ts";
import { latestRun } from "../run-data/fields.ts";

export const pr = define({
  name: "pr",
  group: "Decide",
  summary: "Push the commit of a run and open a draft pull request with its claims",
  more: "Without --yes it prints what would be pushed and where, and sends nothing. GitHub is asked with your gh, GitLab with your glab; for any other host the branch is pushed and the text is written to a file.",
  examples: ["thehood pr run_0mwh", "thehood pr run_0mwh --yes"],
  effect: "decides",
  input: { runId: latestRun, yes: flag("push and open it now") },
  async handle({ runId, yes }, { ports, folder }) {
    await using runs = await ports.runs(folder);
    const id = await runs.find(runId);
    const proposal = await runs.proposal(id);
    const { commit, branch, remote, url, commits } = proposal;
    if (!yes)
      fail(
        "approval_required",
        `This would push ${commit.slice(0, 12)} and its evidence to the branch ${branch} of ${remote} (${url}) and open a draft pull request: ${commits.length === 0 ? "the remote has its commits already" : `${commits.length} new commits, the newest: ${commits[0]}`}.`,
        { remedy: "Look at it with thehood report and git show, then repeat with --yes." },
      );
    return { runId: id, commit, branch, remote, title: proposal.title, ...(await runs.propose(id, proposal)) };
  },
  cli: { args: ["runId"] },
});
