// Deciding on the page: where the eye lands, how far a thumb scrolls, how many clicks an honest change takes, and what can be
// done with the work afterwards.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { chromium, closeBrowser, enter, openStage, serve, type Stage } from "./stage.ts";

afterAll(closeBrowser);

const testOf = (name: string, lines: readonly string[]): string =>
  [
    'import assert from "node:assert/strict";',
    'import test from "node:test";',
    'import { minutes } from "../src/duration.js";',
    `test("${name}", () => {`,
    ...lines.map((line) => `  ${line}`),
    "});",
    "",
  ].join("\n");

const project = {
  "package.json": `${JSON.stringify({ name: "durations", type: "module", scripts: { test: "node --test" } })}\n`,
  "src/duration.js":
    "export function minutes(text) {\n  const found = /^(\\d+)m$/.exec(text);\n  if (!found) throw new Error(`not a duration: ${text}`);\n  return Number(found[1]);\n}\n",
  "test/duration.test.js": testOf("reads minutes", [
    'assert.equal(minutes("30m"), 30);',
    'assert.throws(() => minutes("soon"), /not a duration/);',
    'assert.throws(() => minutes(""), /not a duration/);',
  ]),
};

const writes = (files: Readonly<Record<string, string>>) => ({
  roles: {
    implementer: [
      {
        edits: Object.entries(files).map(([path, text]) => ({ op: "write", path, text })),
        payload: { changedFiles: Object.keys(files) },
      },
    ],
  },
});

/** Eleven changed lines: hours are read, and a new test shows it. */
const honest = writes({
  "src/duration.js":
    '/** Hours and minutes. */\nexport function minutes(text) {\n  const found = /^(?:(\\d+)h)?(?:(\\d+)m)?$/.exec(text);\n  if (!found || text === "") throw new Error(`not a duration: ${text}`);\n  return Number(found[1] ?? 0) * 60 + Number(found[2] ?? 0);\n}\n',
  "test/hours.test.js": testOf("reads hours", [
    'assert.equal(minutes("1h30m"), 90);',
    'assert.equal(minutes("2h"), 120);',
  ]),
});

/** The values of the tests instead of code. */
const table = writes({
  "src/duration.js": project["src/duration.js"].replace(
    "  const found",
    '  const known = { "1h30m": 90, "2h15m": 135 };\n  if (text in known) return known[text];\n  const found',
  ),
});

/** Leaves the run at its result gate, and opens the page there. */
async function atResult(stage: Stage, script: object): Promise<{ page: Page; id: string }> {
  const id = stage.run(script, ["--approvals", "manual"]);
  const { gate } = stage.thehood(["status", id, "--json"]).json<{ gate: { id: string } }>();
  stage.thehood(["approve", id, "--gate", gate.id, "--json"]);
  const page = await enter(await serve(stage));
  await page.setViewportSize({ width: 1_280, height: 800 });
  await page.evaluate(`location.hash = "#/gate?${new URLSearchParams({ repo: stage.repo.dir, id })}"`);
  await page.getByRole("button", { name: /^Approve/ }).waitFor();
  return { page, id };
}

const topOf = (page: Page, selector: string): Promise<number> =>
  page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.getBoundingClientRect().top ?? Infinity`);

describe.skipIf(!chromium)("[B-32] a decision on the page", () => {
  it("takes another goal and other criteria with the approval of the start", async () => {
    const stage = openStage(project);
    const id = stage.run(honest, ["--approvals", "manual", "--acceptance", "hours are read"]);
    const page = await enter(await serve(stage));
    await page.evaluate(`location.hash = "#/gate?${new URLSearchParams({ repo: stage.repo.dir, id })}"`);
    const approve = page.getByRole("button", { name: /^Approve/ });
    await approve.waitFor();
    expect(await page.getByText("Done when").isVisible()).toBe(true);
    await page.getByText("Change the goal or what must be true").click();
    await page.getByLabel("Goal").fill("Read hours, too");
    await page.getByLabel(/^Must be true/).fill("1h is 60\n2h is 120\n");
    for (const more = page.getByRole("button", { name: /not on screen yet/ }); (await more.count()) > 0;)
      await more.click({ timeout: 2_000 }).catch(() => undefined);
    await approve.click();
    const shown = () => stage.thehood(["show", id, "--json"]).json<{ goal: string; scope: object }>();
    await expect.poll(() => shown().goal, { timeout: 60_000, interval: 500 }).toBe("Read hours, too");
    expect(shown().scope).toMatchObject({ acceptanceCriteria: ["1h is 60", "2h is 120"] });
  });

  it("shows the diff within 400 px beside the verdict, fits a phone, and takes one click for an honest change", async () => {
    const stage = openStage(project);
    const { page, id } = await atResult(stage, honest);
    expect(await topOf(page, ".diff .rows .block")).toBeLessThan(400);
    expect(await topOf(page, ".card .verdict")).toBeLessThan(400);
    expect(await page.locator(".doubts-box").count()).toBe(0);
    await page.getByText("Apply 2 files?", { exact: true }).waitFor();
    expect(await page.locator("table.checks tbody tr").allTextContents()).toEqual([expect.stringContaining("npm")]);
    expect(await page.locator("table.checks thead").textContent()).toBe(
      "CheckBeforeNowWith the old testsMistakes noticed",
    );
    // Hashes and the exact text are there, and not in the way.
    expect(await page.getByText("You decide about exactly this").isVisible()).toBe(false);

    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThan(1_500);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    expect(await page.locator(".decision :is(button, summary):visible").allTextContents()).toEqual(
      expect.arrayContaining(["Approve", "…"]),
    );
    expect(await page.getByRole("button", { name: "Send back …" }).count()).toBe(0);
    await page.getByRole("button", { name: "Other answers" }).click();
    await page.getByRole("button", { name: "Send back …" }).waitFor();

    await page.setViewportSize({ width: 1_280, height: 800 });
    await page.reload();
    await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
    await everyControlByTab(page);
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await page.getByRole("group", { name: "What to do with the work" }).waitFor({ timeout: 120_000 });
    expect(readFileSync(join(stage.repo.dir, "src/duration.js"), "utf8")).toContain("Hours and minutes");
    await everyControlByTab(page);
    await afterwards(page, stage, id);
    // The list says in a word what became of the work, and how long ago without seconds.
    await page.evaluate("location.hash = '#/'");
    expect(await page.locator("li.run.ended").first().textContent()).toMatch(/undone(?!.*\d s )/);
    await everyControlByTab(page);
  });

  it("fits a phone where another run changes the same files", async () => {
    const stage = openStage(project);
    const other = stage.run(honest, ["--approvals", "manual"]);
    const { gate } = stage.thehood(["status", other, "--json"]).json<{ gate: { id: string } }>();
    stage.thehood(["approve", other, "--gate", gate.id, "--json"]);
    const { page } = await atResult(stage, honest);
    expect(await page.locator(".doubts-box").textContent()).toContain(`Also ${other}`);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThan(1_500);
  });

  it("[B-4] puts a doubt above the diff, and lets nothing pass before both were on screen", async () => {
    const stage = openStage({
      ...project,
      "test/hours.test.js": testOf("reads hours", [
        'assert.equal(minutes("1h30m"), 90);',
        'assert.equal(minutes("2h15m"), 135);',
      ]),
    });
    const { page } = await atResult(stage, table);
    await page.getByRole("heading", { name: "What the runtime doubts" }).waitFor();
    expect(await page.locator(".doubts-box").textContent()).toContain("holds the very values");
    expect(await topOf(page, ".doubts-box")).toBeLessThan(await topOf(page, ".diff"));
    expect(await topOf(page, ".diff .rows .block")).toBeLessThan(400);
    await page.getByRole("button", { name: "Approve with 1 doubt" }).waitFor();
    await everyControlByTab(page);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThan(1_500);
    await page.setViewportSize({ width: 390, height: 300 });
    await page.reload();
    const approve = page.getByRole("button", { name: /^Approve/ });
    await approve.waitFor();
    expect(await approve.isDisabled()).toBe(true);
  });
});

/** Tab alone comes to each control that can be seen and used, and its place is marked there. */
async function everyControlByTab(page: Page): Promise<void> {
  const missed = `(() => {
    const controls = [...document.querySelectorAll("a[href], button, summary, input, select, textarea")];
    return controls.filter((one) => one.checkVisibility() && !one.disabled && !one.dataset.reached)
      .map((one) => one.outerHTML.slice(0, 120));
  })()`;
  const step = `(() => {
    const one = document.activeElement;
    const { outlineStyle, boxShadow } = getComputedStyle(one);
    if (outlineStyle !== "none" || boxShadow !== "none") one.dataset.reached = "yes";
    return one.tagName;
  })()`;
  for (let pressed = 0; pressed < 150; pressed += 1) {
    await page.keyboard.press("Tab");
    await page.evaluate(step);
    if (((await page.evaluate(missed)) as string[]).length === 0) break;
  }
  expect(await page.evaluate(missed)).toEqual([]);
}

/** The work as a commit on a branch, then out of the checkout again. */
async function afterwards(page: Page, stage: Stage, id: string): Promise<void> {
  page.on("dialog", (dialog) => void dialog.accept());
  await page.getByRole("button", { name: "Branch …" }).click();
  await page.getByRole("textbox", { name: "Branch" }).fill("fix/hours");
  await page.getByRole("button", { name: "Make the branch" }).click();
  await page.getByText(/^Committed as [0-9a-f]{12}\.$/).waitFor();
  expect(stage.repo.git("show", "fix/hours:src/duration.js")).toContain("Hours and minutes");
  expect(stage.repo.git("show", "HEAD:src/duration.js")).not.toContain("Hours and minutes");
  // Without a remote there is nothing to push to, and the page says so.
  await page.getByRole("button", { name: "Pull request …" }).click();
  await page.locator(".refusal").waitFor();
  await page.getByRole("link", { name: "Follow up" }).click();
  await page.getByRole("heading", { name: "Follow up" }).waitFor();
  await page.getByText("It continues “Make add() add”").waitFor();
  await page.goBack();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText(/^Undone: /).waitFor();
  expect(readFileSync(join(stage.repo.dir, "src/duration.js"), "utf8")).not.toContain("Hours and minutes");
  expect(stage.thehood(["status", id, "--json"]).json<{ state: string }>().state).toBe("completed");
  expect(stage.thehood(["status"]).out).toContain("↩ undone");
  onTestFinished(() => page.close());
}
