// The page under weight: thousands of runs, a change of a hundred thousand lines, a log of fifty megabytes, eight tabs.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { seedRuns } from "../support/seed-runs.ts";
import { chromium, closeBrowser, enter, openStage, serve, type Stage } from "./stage.ts";

afterAll(closeBrowser);

function withScript(stage: Stage, script: object, args: readonly string[]): string {
  const file = join(stage.home, "script.json");
  writeFileSync(file, JSON.stringify(script));
  const words = ["run", "A large change", "--stub-script", file, "--json", "--approvals", "autopilot", ...args];
  return stage.thehood(words).json<{ runId: string }>().runId;
}

const at = async (page: Page, hash: string): Promise<void> => {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
};

describe.skipIf(!chromium)("[R-80] the page under weight", () => {
  it("lists five thousand runs, finds one of them, and shows all of them on request", async () => {
    const stage = openStage();
    const id = stage.thehood(["plan", "Look at it", "--json"]).json<{ runId: string }>().runId;
    await seedRuns(stage.repo.dir, id, 5_000);
    const page = await enter(await serve(stage));
    await page.getByText(/4,950 runs not shown/).click();
    await page.getByText(/4,500 runs not shown/).click();
    await expect.poll(() => page.locator("li.run").count(), { timeout: 60_000 }).toBe(5_000);
    await page.getByRole("searchbox").fill("zzz-not-there");
    await page.getByText("No run is like that.").waitFor();
    await page.getByRole("searchbox").fill(id);
    await expect.poll(() => page.locator("li.run").count(), { timeout: 30_000 }).toBe(1);
  });

  it("shows a change of a hundred thousand lines, and the last line can be found", async () => {
    const text = Array.from({ length: 100_000 }, (_, index) => `value ${index}`).join("\n");
    const stage = openStage({ "huge.txt": `${text}\n`, "a.txt": "one\n" });
    const edits = [{ op: "delete", path: "huge.txt" }];
    const script = { roles: { implementer: [{ edits, payload: { changedFiles: ["huge.txt"] } }] } };
    const id = withScript(stage, script, ["--no-checks"]);
    const page = await enter(await serve(stage));
    await at(page, `#/diff?${new URLSearchParams({ repo: stage.repo.dir, id })}`);
    await page.locator(".block > div").first().waitFor({ timeout: 60_000 });
    await expect.poll(() => page.locator(".block > div").count(), { timeout: 60_000 }).toBe(100_000);
    expect(await page.evaluate("window.find('value 99999')")).toBe(true);
    await expect.poll(() => page.evaluate("scrollY")).toBeGreaterThan(100_000);
  });

  it("pages through a log of fifty megabytes", async () => {
    const stage = openStage({
      "package.json": JSON.stringify({ name: "loud", scripts: { test: "node loud.js" } }),
      "loud.js": "const line = 'x'.repeat(99);\nfor (let i = 0; i < 500000; i += 1) console.log(line);\n",
      "src/add.js": "export const add = (a, b) => a - b;\n",
    });
    const edits = [{ op: "replace", path: "src/add.js", find: "a - b", with: "a + b" }];
    const script = { roles: { implementer: [{ edits, payload: { changedFiles: ["src/add.js"] } }] } };
    const id = withScript(stage, script, []);
    const { checks } = stage.thehood(["timeline", id, "--json"]).json<{ checks: { seq: number }[] }>();
    const page = await enter(await serve(stage));
    const seq = String(checks[0]?.seq ?? 0);
    await at(page, `#/run?${new URLSearchParams({ repo: stage.repo.dir, id, at: seq })}`);
    const evidence = page.getByRole("complementary", { name: "Evidence" });
    await evidence.locator("summary").first().click();
    await evidence.locator("pre").waitFor({ timeout: 60_000 });
    expect((await evidence.locator("pre").textContent())?.length).toBeGreaterThan(1_000);
  });

  it("serves eight tabs at once, although a browser has six connections for all of them", async () => {
    const stage = openStage();
    const served = await serve(stage);
    const page = await enter(served);
    const tabs = [page];
    for (let made = 0; made < 7; made += 1) {
      const tab = await page.context().newPage();
      await tab.goto(served.origin);
      tabs.push(tab);
    }
    stage.run();
    const front = tabs.at(-1);
    await front?.getByRole("link", { name: /Make add\(\) add/ }).waitFor();
    await tabs[0]?.bringToFront();
    await tabs[0]?.getByRole("link", { name: /Make add\(\) add/ }).waitFor();
  });
});
