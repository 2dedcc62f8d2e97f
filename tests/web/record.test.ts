// A run as one file: it opens offline, from a folder, with nothing behind it.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { chromium, closeBrowser, launch, openStage } from "./stage.ts";
import { tempFolder } from "../support/temp-folder.ts";

afterAll(closeBrowser);

describe.skipIf(!chromium)("thehood report --html", () => {
  it("[R-17] [R-45] shows the class of what stands in the way, and the lanes of the crew", async () => {
    const stage = openStage();
    const broken = { repeatLast: true, roles: { orchestrator: [{ raw: "no JSON" }], planner: [{ raw: "no JSON" }] } };
    const id = stage.run(broken, ["--approvals", "autopilot", "--no-checks"]);
    const file = join(tempFolder("thehood-record-"), "run.html");
    stage.thehood(["report", id, "--html", file]);
    const context = await (await launch()).newContext({ offline: true });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(pathToFileURL(file).href);
    await page.locator(".standing").getByText("schema_failure").waitFor();
    for (const lane of ["Builder", "Runtime QA", "Approval", "Completion"])
      await page.locator("li b").getByText(lane, { exact: true }).waitFor();
  });

  it("[R-80] writes one file that shows timeline, claims, change and evidence offline, without secrets", async () => {
    const secret = ["AK", "IA", "Z7Q2", "XN4W", "PLKD", "5TRB"].join("");
    const script = {
      roles: {
        implementer: [
          {
            summary: `</script><img src=x onerror=alert(1)> ${secret}`,
            edits: [{ op: "replace", path: "src/add.js", find: "a - b", with: "a + b" }],
            payload: { changedFiles: ["src/add.js"] },
          },
        ],
      },
    };
    const stage = openStage();
    const id = stage.run(script, ["--approvals", "autopilot", "--no-checks"]);
    const folder = tempFolder("thehood-record-");
    const file = join(folder, "run.html");
    expect(stage.thehood(["report", id, "--html", file]).out.trim()).toBe(file);
    const text = readFileSync(file, "utf8");
    expect(text).not.toContain(secret);
    expect(text).not.toContain("</script><img");
    expect(text).not.toContain(stage.repo.dir);
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const context = await (await launch()).newContext({ offline: true });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const errors: Error[] = [];
    page.on("pageerror", (error) => errors.push(error));
    await page.goto(pathToFileURL(file).href);
    await page.getByRole("heading", { name: "Make add() add" }).waitFor();
    await page.getByText("proven").first().waitFor();
    await page
      .locator(".claims")
      .first()
      .getByRole("button", { name: /^Event/ })
      .first()
      .click();
    await page.getByRole("complementary", { name: "Evidence" }).waitFor();
    await page.getByRole("link", { name: "On its own page" }).click();
    await page.locator(".a mark").first().waitFor();
    expect(await page.getByRole("button", { name: /Abort|Continue|Approve/ }).count()).toBe(0);
    expect(errors).toEqual([]);
    expect(asked.filter((url) => !url.startsWith("file:") && !url.startsWith("data:"))).toEqual([]);
  });
});
