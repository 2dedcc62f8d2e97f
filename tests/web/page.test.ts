// The page in real Chromium, on real runs of the stub.
import { afterAll, describe, expect, it } from "vitest";
import { chromium, closeBrowser, enter, fixing, openStage, serve, type Stage } from "./stage.ts";

afterAll(closeBrowser);

interface Told {
  readonly state: string;
  readonly gate: { readonly id: string; readonly kind: string } | null;
}
const status = (stage: Stage, id: string): Told => stage.thehood(["status", id, "--json"]).json<Told>();

/** Notes at every moment the lines that are on the screen beside the decision. */
const noteLines = `window.shownLines = new Set();
setInterval(() => {
  // The page has gone on to the run once the decision was sent.
  const floor = document.querySelector(".decision") ? innerHeight : 0;
  for (const row of document.querySelectorAll(".block > div")) {
    const { top, bottom } = row.getBoundingClientRect();
    if (top >= 0 && bottom <= floor + 1) window.shownLines.add(row.dataset.n);
  }
}, 10)`;

describe.skipIf(!chromium)("[R-80][B-21] the page", () => {
  it("leads from what waits to the decision, and shows the run as it goes on, to its report", async () => {
    const stage = openStage();
    const id = stage.run(fixing, ["--no-checks"]);
    const page = await enter(await serve(stage));
    expect(page.url()).not.toContain("t=");
    const waiting = page.getByRole("link", { name: /Make add\(\) add/ });
    await expect.poll(() => waiting.textContent()).toContain("risk");
    await waiting.click();
    const approve = page.getByRole("button", { name: /^Approve/ });
    await approve.waitFor();
    // Each gate is approved once everything was on screen; the page leads to the run, and from there to the next gate.
    for (let gates = 0; gates < 5; gates += 1) {
      for (;;) {
        const more = page.getByRole("button", { name: /not on screen yet/ });
        if ((await more.count()) === 0) break;
        await more.click({ timeout: 2_000 }).catch(() => undefined);
      }
      await approve.click();
      const decide = page.getByRole("link", { name: "Look and decide" });
      const report = page.getByRole("heading", { name: "Report" });
      await decide.or(report).first().waitFor({ timeout: 120_000 });
      if (await report.isVisible()) break;
      await decide.click();
      await approve.waitFor();
    }
    await page.getByText("proven").first().waitFor();
    expect(status(stage, id).state).toBe("completed");
    // A claim opens the event that proves it, beside it; the address holds the view.
    const proof = page
      .locator(".claims")
      .first()
      .getByRole("button", { name: /^Event/ })
      .first();
    const name = (await proof.textContent()) ?? "";
    await proof.click();
    await page.getByRole("complementary", { name: "Evidence" }).getByText(`Event ${name}`).waitFor();
    expect(page.url()).toContain(`at=${name}`);
    await page.reload();
    await page.getByRole("complementary", { name: "Evidence" }).getByText(`Event ${name}`).waitFor();
    const logs = stage.thehood(["logs", id, "--json"]).out;
    expect(logs).toContain('"surface":"web"');
  });

  it("opens at the run that the command names", async () => {
    const stage = openStage();
    const id = stage.run(fixing, ["--no-checks"]);
    stage.run(fixing, ["--no-checks"]);
    const page = await enter(await serve(stage, [id.slice(0, -4)]), "Make add() add");
    expect(page.url()).toMatch(new RegExp(`/#/run\\?id=${id}$`));
    await page.getByRole("link", { name: "Look and decide" }).waitFor();
    expect(stage.thehood(["web", "run_none", "--no-open"]).code).toBe(2);
  });

  it("approves nothing before everything was on screen, and sends line comments back as words", async () => {
    const text = Array.from({ length: 400 }, (_, index) => `line ${index}`).join("\n");
    const script = {
      roles: {
        implementer: [
          {
            edits: [{ op: "write", path: "src/long.js", text: `${text}\n` }],
            payload: { changedFiles: ["src/long.js"] },
          },
        ],
      },
    };
    const stage = openStage();
    const id = stage.run(script, ["--no-checks"]);
    const first = status(stage, id).gate;
    stage.thehood(["approve", id, "--gate", first?.id ?? "", "--json"]);
    const page = await enter(await serve(stage));
    await page.getByRole("link", { name: /Make add\(\) add/ }).click();
    const approve = page.getByRole("button", { name: /^Approve/ });
    await approve.waitFor();
    expect(await approve.isDisabled()).toBe(true);
    await page.evaluate(noteLines);
    await page.keyboard.press("End");
    await page.getByText(/not on screen yet/).waitFor();
    expect(await approve.isDisabled()).toBe(true);
    for (let pressed = 0; (await approve.isDisabled()) && pressed < 200; pressed += 1) {
      await page.keyboard.press("n");
      await page.waitForTimeout(150);
    }
    expect(await approve.isDisabled()).toBe(false);
    expect(await page.evaluate("window.shownLines.size")).toBe(400);
    await page.getByText("line 7", { exact: true }).click();
    await page.getByRole("textbox", { name: /src\/long.js:8/ }).fill("number it from one");
    await page.getByRole("button", { name: /Send back with 1 comment/ }).click();
    await page.getByRole("heading", { name: "Timeline" }).waitFor();
    await expect
      .poll(() => stage.thehood(["logs", id, "--json"]).out)
      .toContain("src/long.js:8 (line 7): number it from one");
  });

  it("[B-20] shows at a gate the lines of a failing check that tell why", async () => {
    const stage = openStage();
    const id = stage.run({ roles: {} }, ["--approvals", "autopilot"]);
    expect(status(stage, id).gate).not.toBeNull();
    const page = await enter(await serve(stage));
    await page.getByRole("link", { name: /Make add\(\) add.*risk/ }).click();
    await page.getByRole("heading", { name: "What failed" }).waitFor();
    await page
      .getByText(/AssertionError/)
      .first()
      .waitFor();
  });

  it("shows a run that begins elsewhere, and a gate that was decided elsewhere, without a reload", async () => {
    const stage = openStage();
    const page = await enter(await serve(stage));
    await page.getByText("No runs yet").waitFor();
    const id = stage.run();
    await page.getByRole("link", { name: /Make add\(\) add.*risk/ }).click();
    await page.getByRole("button", { name: /^Approve/ }).waitFor();
    stage.thehood(["reject", id, "--gate", status(stage, id).gate?.id ?? "", "--json"]);
    await page.getByText("This was decided elsewhere.").waitFor();
    await page.goBack();
    await page.getByText("aborted").first().waitFor();
  });

  it("refuses an approval of what is not shown any more, and the gate stays open", async () => {
    const stage = openStage();
    const id = stage.run();
    const { gate } = status(stage, id);
    const page = await enter(await serve(stage));
    const answer = await page.evaluate(
      async ({ runId, gate: open }) => {
        const headers = {
          "content-type": "application/json",
          authorization: `Bearer ${sessionStorage.getItem("thehood-bearer")}`,
        };
        const body = JSON.stringify({
          operation: "approve",
          input: { runId, gate: open, sha256: "0".repeat(64) },
        });
        const said = await fetch("/api/do", { method: "POST", headers, body });
        return { status: said.status, text: await said.text() };
      },
      { runId: id, gate: gate?.id },
    );
    expect(answer).toMatchObject({ status: 409, text: expect.stringContaining("is not the text of gate") });
    expect(status(stage, id).gate?.id).toBe(gate?.id);
  });

  it("lets a second tab in by the first, keeps the way back, and says so when the server is gone or another one", async () => {
    const stage = openStage();
    stage.run();
    const served = await serve(stage, ["--paired-days", "0"]);
    const port = new URL(served.origin).port;
    const page = await enter(served);
    const other = await page.context().newPage();
    await other.goto(served.origin);
    await other.getByRole("link", { name: /Make add\(\) add/ }).click();
    await other.getByRole("button", { name: /^Approve/ }).waitFor();
    await other.goBack();
    await other.getByRole("heading", { name: "Runs", exact: true }).waitFor();
    await served.kill();
    await page.getByText("The server does not answer").waitFor();
    const again = await serve(stage, ["--port", port]);
    await page.getByText("This tab is not let in").waitFor();
    await page.goto(again.link);
    await page.getByRole("link", { name: /Make add\(\) add/ }).waitFor();
  });

  it("starts a run after showing where data would go", async () => {
    const stage = openStage();
    const page = await enter(await serve(stage));
    await page.getByRole("link", { name: "Start a run" }).click();
    await page.getByText("stays on this machine").waitFor();
    await page.getByText(/At most \d+ model calls, no token or time limit/).waitFor();
    await page.getByLabel("Goal").fill("Say hello");
    await page.getByLabel("Mode").selectOption("plan");
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByRole("heading", { name: "Say hello" }).waitFor();
    await page.getByText("completed").first().waitFor();
  });

  it("finds runs by words and by group, and shows runs of other repositories", async () => {
    const stage = openStage();
    stage.run();
    const elsewhere = openStage();
    elsewhere.thehood(["plan", "Another goal elsewhere", "--json"], {
      env: { HOME: stage.home, THEHOOD_HOME: `${stage.home}/config` },
    });
    const page = await enter(await serve(stage));
    await page.getByText("Another goal elsewhere").waitFor();
    await page.getByRole("searchbox").fill("elsewhere");
    await expect.poll(() => page.getByRole("link", { name: /Make add/ }).count()).toBe(0);
    await page.getByText("Another goal elsewhere").waitFor();
    expect(page.url()).toContain("q=elsewhere");
    await page.getByRole("searchbox").fill("");
    await page.getByLabel("Show").selectOption("waits");
    await page.getByRole("link", { name: /Make add/ }).waitFor();
    expect(await page.getByText("Another goal elsewhere").count()).toBe(0);
    // A group is found behind newer runs of other groups.
    await page.getByLabel("Show").selectOption("ended");
    await page.getByText("Another goal elsewhere").waitFor();
    stage.thehood(["plan", "An older goal", "--json"]);
    stage.run();
    const ended = stage.thehood(["home", "--group", "ended", "--limit", "1", "--json"]);
    expect(ended.json<{ rows: { goal: string }[] }>().rows).toMatchObject([{ goal: "An older goal" }]);
  });

  it("lets the judges be tried", async () => {
    const page = await enter(await serve(openStage()));
    await page.getByRole("link", { name: "Judges" }).click();
    const [command, patch, secrets] = await page.getByRole("button", { name: "Judge" }).all();
    await command?.click();
    await page.getByText('"gated": true').waitFor();
    await page.getByText("In a run you would be asked first.").waitFor();
    await patch?.click();
    await page.getByText(/"verdict": "(approval|reject)"/).waitFor();
    await secrets?.click();
    await page.getByText("1 found").waitFor();
  });

  it("[B-5] shows characters that the eye misses, moves, modes and protected files for what they are", async () => {
    const script = {
      roles: {
        implementer: [
          {
            edits: [
              {
                op: "write",
                path: "src/add.js",
                text: "export const add = (a, b) => a + b;\u202e\u200b// \u3164\n",
              },
              { op: "write", path: "test/add.test.js", text: "// nothing left\n" },
            ],
            payload: { changedFiles: ["src/add.js", "test/add.test.js"] },
          },
        ],
      },
    };
    const stage = openStage();
    const id = stage.run(script, ["--no-checks"]);
    stage.thehood(["approve", id, "--gate", status(stage, id).gate?.id ?? "", "--json"]);
    const page = await enter(await serve(stage));
    await page.goto(`${page.url()}#/diff?${new URLSearchParams({ repo: stage.repo.dir, id })}`);
    const files = page.locator("article.file");
    await files.first().waitFor();
    expect(await files.first().textContent()).toContain("src/add.js");
    expect(await files.last().textContent()).toContain("test/add.test.js");
    expect(await files.last().textContent()).toContain("protected");
    expect(await page.locator("b.unseen").allTextContents()).toEqual(["‹U+202E›", "‹U+200B›", "‹U+3164›"]);
    expect(await page.locator(".a mark").first().textContent()).toContain("+");
  });
});
