// Further things of the page: passes, sessions of oracle, where data would go.
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { Bench } from "../oracle/bench.ts";
import { chromium, closeBrowser, enter, openStage, serve } from "./stage.ts";

afterAll(closeBrowser);

const writes = (text: string) => ({
  edits: [{ op: "write", path: "src/add.js", text }],
  payload: { changedFiles: ["src/add.js"] },
});
/** A first pass that a verifier sends back, and a second one. */
const twoPasses = {
  roles: {
    implementer: [
      writes("export const add = (a, b) => a + b;\n"),
      writes("export const add = (a, b) => Number(a) + b;\n"),
    ],
    verifier: [
      { payload: { verdict: "revise", summary: "Texts are joined.", failedCriteria: ["add numbers only"] } },
      { payload: { verdict: "approve", summary: "It adds." } },
    ],
  },
};

describe.skipIf(!chromium)("[R-80] further things of the page", () => {
  it("leads from each pass to its whole change, and to what it changed since the pass before", async () => {
    const stage = openStage();
    const id = stage.run(twoPasses, ["--no-checks", "--approvals", "autopilot"]);
    const page = await enter(await serve(stage, [id]), "Make add() add");
    await page.getByText("Pass 2", { exact: true }).waitFor();
    await page.getByRole("link", { name: "since the pass before" }).click();
    await page.locator(".d").getByText("(a, b) => a + b;").waitFor();
    await page.locator(".a").getByText("Number(a)").first().waitFor();
    await page.goBack();
    await page.getByRole("link", { name: "whole change" }).last().click();
    await page.locator(".d").getByText("a - b").waitFor();
  });

  it("lists the sessions of oracle, and shows one with its answer", async () => {
    const oracle = new Bench();
    onTestFinished(() => oracle.dispose());
    oracle.double([{ answer: "Use a **queue**:\n1. first\n2. second" }]);
    await oracle.run(["-p", "How should jobs wait"]);
    const stage = openStage();
    const page = await enter(await serve({ ...stage, env: { ...stage.env, ORACLE_HOME_DIR: oracle.home } }));
    await page.getByRole("link", { name: "Oracle" }).click();
    await page.getByRole("link", { name: /how-should-jobs-wait/ }).click();
    await page.locator("b", { hasText: "queue" }).waitFor();
    expect(await page.locator("ol > li").allTextContents()).toEqual(["first", "second"]);
  });

  it("names at a gate where data would go, how much of it, and calls that no low risk", async () => {
    const stage = openStage();
    const words = ["run", "Explain add()", "--planner", "openai-api:default", "--no-checks", "--json"];
    const started = stage.thehood(words, { env: { OPENAI_API_KEY: "sk-none" } });
    expect(started.json<{ state: string }>().state).toBe("awaiting_approval");
    const page = await enter(await serve(stage));
    const row = page.getByRole("link", { name: /Explain add/ });
    await expect.poll(() => row.textContent()).toContain("medium risk");
    await page.setViewportSize({ width: 360, height: 740 });
    await row.click();
    await page
      .getByText(/\d+ bytes to openai-api:default at api\.openai\.com/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  });
});
