// A week of a user, through the real commands: an issue, a run without its terminal, the gate on the page, a draft, red checks,
// their repair, green checks, ready, a follow-up, and what it all cost.
import { afterAll, describe, expect, it } from "vitest";
import { openForgeDesk } from "../cli/forge-scene.ts";
import { fixing, stub } from "../cli/program.ts";
import { chromium, closeBrowser, enter, serve } from "../web/stage.ts";

afterAll(closeBrowser);

const edit = (find: string, replacement: string) => ({
  roles: { implementer: [{ edits: [{ op: "replace", path: "src/add.js", find, with: replacement }] }] },
});

interface Status {
  readonly state: string;
}

describe.skipIf(!chromium)("a week with thehood", () => {
  it("leads from an issue to a request that is ready, and on to the next run", async () => {
    const forge = openForgeDesk();
    const { thehood, desk } = forge;
    forge.set((state) => {
      state.issues = {
        28: {
          title: "Make add() add",
          body: "It subtracts.\n- [ ] add(1, 2) is 3",
          url: "https://github.com/o/r/issues/28",
        },
      };
    });
    const served = { ...desk, env: forge.env };
    const stateOf = (runId: string) => thehood(["status", runId, "--json"]).json<Status>().state;
    const settled = async (runId: string, wanted: string): Promise<void> => {
      await expect.poll(() => stateOf(runId), { timeout: 120_000, interval: 1_000 }).toBe(wanted);
    };

    // Monday: the issue becomes a run that goes on without its terminal and waits for its first answer.
    const started = thehood([
      "run",
      "--issue",
      "28",
      "--detach",
      "--pr-draft",
      "--team",
      "stub",
      "--json",
      ...stub(fixing),
    ]);
    const { runId } = started.json<{ runId: string }>();
    await settled(runId, "awaiting_approval");
    expect(thehood(["status"]).out).toContain("Make add() add");

    // The person decides on the page, both times; with the second answer the branch goes out as a draft.
    const page = await enter(await serve(served));
    await page.getByRole("link", { name: /Make add\(\) add/ }).click();
    const approve = page.getByRole("button", { name: /^Approve/ });
    const decide = page.getByRole("link", { name: "Look and decide" });
    const report = page.getByRole("heading", { name: "Report" });
    for (let gates = 0; gates < 5 && !(await report.isVisible()); gates += 1) {
      await approve.waitFor({ timeout: 120_000 });
      for (const more = page.getByRole("button", { name: /not on screen yet/ }); (await more.count()) > 0;)
        await more.click({ timeout: 2_000 }).catch(() => undefined);
      await approve.click();
      await decide.or(report).first().waitFor({ timeout: 120_000 });
      if (!(await report.isVisible())) await decide.click();
    }
    await settled(runId, "completed");
    await expect.poll(() => forge.calls().includes("pr create"), { timeout: 60_000, interval: 500 }).toBe(true);
    const first = forge.request();
    expect(first).toMatchObject({ branch: "make-add-add", draft: true });

    // Tuesday: CI is red, and a reviewer has a wish. Both come back as one run on the same branch.
    forge.set((state) => {
      const request = state.requests[0];
      if (request) request.checks = [{ name: "lint", result: "failed", job: 4 }];
      request?.threads.push({ path: "src/add.js", line: 1, text: "Write b first." });
      state.logs["4"] = "src/add.js:1 operands are not in order\n";
    });
    const watch = (run: string) => thehood(["pr", "watch", run, "--every", "1", "--ready", "--json"]);
    expect(watch(runId).json()).toMatchObject({ state: "failed", next: `thehood run --pr ${first.number}` });
    const again = ["--team", "stub", "--approvals", "autopilot", "--json", ...stub(edit("a + b", "b + a"))];
    const repaired = thehood(["run", "--pr", String(first.number), ...again]);
    expect(repaired.code, repaired.out + repaired.err).toBe(0);
    const second = repaired.json<{ runId: string }>().runId;
    expect(thehood(["pr", second, "--yes", "--json"]).json()).toMatchObject({ created: false });
    forge.set((state) => {
      const request = state.requests[0];
      if (request) request.checks = [{ name: "lint", result: "passed", job: 5 }];
    });
    expect(watch(second).json()).toMatchObject({ state: "passed", draft: false });
    expect(forge.request().draft).toBe(false);

    // Wednesday: the work is merged, and a follow-up stands on it.
    forge.set((state) => {
      const request = state.requests[0];
      if (request) request.state = "merged";
    });
    expect(thehood(["run", "--pr", String(first.number), ...again]).out).toContain("is merged");
    desk.repo.git("merge", "-q", "--ff-only", "make-add-add");
    const follow = ["--team", "stub", "--json", ...stub(edit("b + a", "a + b"))];
    const third = thehood(["run", "--after", second, "now in the old order", "--no-loop", ...follow]);
    expect(third.code, third.out + third.err).toBe(0);

    // Friday: what it cost, and whether the record holds.
    expect(thehood(["stats", "--days", "7", "--json"]).out).toContain('"accepted"');
    expect(thehood(["log", "verify"]).code).toBe(0);
    expect(thehood(["verify", "make-add-add~2..make-add-add", "--json"]).json()).toMatchObject({ verdict: "verified" });
  });
});
