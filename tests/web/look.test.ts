// The page for every eye and hand: no violation that axe-core knows, nothing wider than the screen, keys throughout.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { chromium, closeBrowser, launch, openStage, serve } from "./stage.ts";

afterAll(closeBrowser);

const axe = readFileSync(resolve(import.meta.dirname, "../../node_modules/axe-core/axe.min.js"), "utf8");

/** Pictures of the last run of the tests stay here. */
const pictures = resolve(import.meta.dirname, "../../.build/pictures");
const sizes = [
  [360, 740],
  [1_100, 760],
  [1_600, 900],
] as const;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** The second theme differs in its colours only. */
const violations = async (page: Page, options: object): Promise<string[]> => {
  await page.evaluate(axe);
  const found = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as readonly Violation[];
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
};

describe.skipIf(!chromium)("[B-21] the page for every eye", () => {
  it("axe finds nothing in any view, in both themes, and nothing is wider than a phone", async () => {
    const stage = openStage();
    const id = stage.run();
    const { gate } = stage.thehood(["status", id, "--json"]).json<{ gate: { id: string } }>();
    const ended = stage.thehood(["plan", "Look at it", "--json"]).json<{ runId: string }>().runId;
    stage.thehood(["approve", id, "--gate", gate.id, "--json"]);
    const served = await serve(stage);
    const context = await (await launch()).newContext({ bypassCSP: true });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(served.link);
    const repo = stage.repo.dir;
    const of = (run: string, more = {}) => new URLSearchParams({ repo, id: run, ...more }).toString();
    const views: [string, string][] = [
      ["#/", "Needs you"],
      [`#/run?${of(id, { at: "3" })}`, "Event 3"],
      [`#/run?${of(ended)}`, "The whole report"],
      [`#/gate?${of(id)}`, "Everything that your approval covers"],
      [`#/diff?${of(id)}`, "src/add.js"],
      ["#/start", "stays on this machine"],
      ["#/judges", "A shell line"],
      ["#/oracle", "Oracle sessions"],
    ];
    const problems: string[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const [hash, ready] of views) {
        await page.setViewportSize({ width: 1_280, height: 800 });
        await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
        await page.getByText(ready).filter({ visible: true }).first().waitFor();
        problems.push(
          ...(await violations(page, colorScheme === "light" ? {} : { runOnly: ["color-contrast"] })).map(
            (one) => `${colorScheme} ${hash.slice(0, 10)} ${one}`,
          ),
        );
        for (const [width, height] of sizes) {
          await page.setViewportSize({ width, height });
          const wide = await page.evaluate("document.documentElement.scrollWidth");
          if (Number(wide) > width) problems.push(`${hash.slice(0, 10)} is ${String(wide)} wide`);
          // For the eye of a person.
          const name = `${/\w+/.exec(hash)?.[0] ?? "home"}-${width}-${colorScheme}.png`;
          await page.screenshot({ path: join(pictures, name) });
        }
      }
    }
    expect(problems).toEqual([]);
  });

  it("leads by keys alone from the list to a decision", async () => {
    const stage = openStage();
    const id = stage.run();
    const served = await serve(stage);
    const context = await (await launch()).newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(served.link);
    await page.getByText("Needs you").filter({ visible: true }).first().waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("next and previous in a list").waitFor();
    await page.keyboard.press("Escape");
    // The rows of the list may come a moment after its heading.
    const home = page.url();
    for (let tries = 0; page.url() === home && tries < 50; tries += 1) {
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      await page.waitForTimeout(200);
    }
    const approve = page.getByRole("button", { name: /^Approve/ });
    await approve.waitFor();
    for (let pressed = 0; (await approve.isDisabled()) && pressed < 100; pressed += 1) {
      await page.keyboard.press("n");
      await page.waitForTimeout(120);
    }
    await approve.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Timeline" }).waitFor();
    expect(stage.thehood(["logs", id, "--json"]).out).toContain('"approval_recorded"');
  });
});
