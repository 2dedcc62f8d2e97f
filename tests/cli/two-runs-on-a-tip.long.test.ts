// Two runs take up the same pull request, at a commit that no branch here holds. The first is deleted, and git collects what
// nothing leads to: the second still has its base. The pin goes with the last of them.
import { expect, it } from "vitest";
import { openForgeDesk } from "./forge-scene.ts";
import { fixing, stub } from "./program.ts";

it("[B-31] the tip of a branch stays readable until the last run that began on it is deleted", () => {
  const forge = openForgeDesk("gh");
  const { repo } = forge.desk;
  const tips = () => repo.git("for-each-ref", "--format=%(objectname)", "refs/thehood/tip/").trim();
  const agents = ["--team", "stub", "--approvals", "autopilot", "--json", ...stub(fixing)];
  const first = forge.thehood(["run", "make add() add", "--branch", "fix-add", ...agents]);
  expect(forge.thehood(["pr", first.json<{ runId: string }>().runId, "--yes"]).code).toBe(0);
  const tip = repo.git("commit-tree", "-m", "by hand", "-p", "fix-add", "main^{tree}").trim();
  repo.git("push", "-q", forge.remote, `${tip}:refs/heads/fix-add`);
  const take = () => {
    const ran = forge.thehood(["run", "make add() add", "--pr", "7", "--any-branch", "--no-loop", ...agents]);
    expect(ran.code, ran.out + ran.err).toBe(0);
    return ran.json<{ runId: string }>().runId;
  };
  const [one, other] = [take(), take()];
  expect(tips()).toBe(tip);
  expect(forge.thehood(["abort", one]).code).toBe(0);
  expect(forge.thehood(["runs", "delete", one]).code).toBe(0);
  repo.git("gc", "-q", "--prune=now");
  const ran = forge.thehood(["continue", other, "--json"]);
  expect(ran.code, ran.out + ran.err).toBe(0);
  expect(repo.git("rev-parse", "fix-add~1").trim()).toBe(tip);
  expect(tips()).toBe(tip);
  expect(forge.thehood(["runs", "delete", other]).code).toBe(0);
  expect(tips()).toBe("");
});
