// The work of a run as a draft pull request.
import { exitCodes, fail } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { flag, number, whole, withDefault } from "../define/index.ts";
import { latestRun } from "../run-data/fields.ts";

export const pr = define({
  name: "pr",
  group: "Decide",
  summary: "Push the commit of a run and open a draft with its claims",
  more: "Without --yes it prints what would be pushed and where, and sends nothing. GitHub is asked with your gh, GitLab with your glab; for any other host the branch is pushed and the text is written to a file.",
  examples: ["thehood pr run_0mwh", "thehood pr run_0mwh --yes"],
  effect: "decides",
  input: { runId: latestRun, yes: flag("push and open it now") },
  async handle({ runId, yes }, { ports, folder, actor }) {
    await using runs = await ports.runs(folder);
    const id = await runs.find(runId);
    const proposal = await runs.proposal(id);
    const { commit, branch, remote, url, into, commits } = proposal;
    const count = commits.length === 1 ? "1 new commit:" : `${commits.length} new commits, the newest:`;
    if (!yes)
      fail(
        "approval_required",
        `This would push ${commit.slice(0, 12)} and its evidence to the branch ${branch} of ${remote} (${url}) and open a draft pull request${into === null ? "" : ` in ${into}`}: ${commits.length === 0 ? "the remote has its commits already" : `${count} ${commits[0]}`}.`,
        { remedy: "Look at it with thehood report and git show, then repeat with --yes." },
      );
    return { runId: id, commit, branch, remote, title: proposal.title, ...(await runs.propose(id, proposal, actor)) };
  },
  cli: { main: true, args: ["runId"] },
});

export const prWatch = define({
  name: "pr watch",
  group: "Decide",
  summary: "Wait for the checks of the pull request of a run, and record their result",
  more: "Exit code 0: they pass, or there are none. Exit code 1: one failed; its log is recorded, and thehood run --pr takes it up. Ctrl-C ends only the waiting.",
  examples: ["thehood pr watch --ready", "thehood pr watch run_0mwh --minutes 120"],
  effect: "decides",
  input: {
    runId: latestRun,
    ready: flag("take the draft mark away when they pass"),
    minutes: withDefault(number("wait at most this long (default 60)", { min: 0, cli: { value: "n" } }), 60),
    everySeconds: withDefault(
      whole("seconds between two looks (default 20)", { min: 1, max: 3_600, cli: { name: "every", value: "s" } }),
      20,
    ),
  },
  async handle({ runId, ...patience }, context) {
    const { watchCi } = await import("../run-data/ci.ts");
    await using runs = await context.ports.runs(context.folder);
    return watchCi(runs, await runs.find(runId), patience, context);
  },
  cli: { args: ["runId"], exit: ({ state }) => (state === "failed" ? exitCodes.failure : exitCodes.ok) },
});
