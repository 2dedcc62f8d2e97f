// A run whose work goes out as a draft pull request: it needs a branch, which gets its name from the goal.
import { fail, FailureError } from "../../core/contract/index.ts";
import { branchName } from "../../core/machine/view/index.ts";
import type { Context, RepositoryRuns } from "../context/index.ts";
import type { RunOptions } from "./begin.ts";

const mostNames = 50;

export async function withDraft(request: RunOptions, context: Context): Promise<RunOptions> {
  if (request.mode !== "implement")
    fail("invalid_input", "Only a run that edits has work for a pull request.", { remedy: "Leave out --pr-draft." });
  if (request.toBranch !== undefined || request.commit === true) return { ...request, pullRequest: true };
  await using runs = await context.ports.runs(context.folder);
  return { ...request, pullRequest: true, toBranch: await freeName(runs, branchName(request.goal)) };
}

async function freeName(runs: RepositoryRuns, name: string): Promise<string> {
  for (let count = 1; count < mostNames; count += 1) {
    const candidate = count === 1 ? name : `${name}-${count}`;
    try {
      await runs.checkBranch(candidate);
      return candidate;
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
    }
  }
  return fail("invalid_input", `There are too many branches named ${name}.`, { remedy: "Name one: --branch NAME" });
}
