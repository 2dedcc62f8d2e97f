// The page against hostile words and careless hands: markup in goals, names and lines, a decision made twice, a lost line.
import { afterAll, describe, expect, it } from "vitest";
import { chromium, closeBrowser, enter, fixing, openStage, serve } from "./stage.ts";

afterAll(closeBrowser);

const markup = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>";
const hostileName = "src/<b>\u202egpj.js";

/** Two answers to one gate at the same moment, as two tabs would send them. */
const twice = `(async () => {
  const headers = {
    "content-type": "application/json",
    authorization: "Bearer " + sessionStorage.getItem("thehood-bearer"),
  };
  const ask = async (operation, input) => {
    const said = await fetch("/api/do", { method: "POST", headers, body: JSON.stringify({ operation, input }) });
    return { status: said.status, body: await said.json() };
  };
  const { body } = await ask("gate", { runId: RUN });
  const [gate] = body.result.gates;
  const yes = { runId: RUN, gate: gate.id, sha256: gate.sha256, message: gate.phrase ?? "" };
  const answers = await Promise.all([ask("approve", yes), ask("approve", yes)]);
  return answers.map(({ status }) => status).sort();
})()`;

describe.skipIf(!chromium)("[B-21] the page against hostile words and careless hands", () => {
  it("shows markup in a goal, a file name and a line as the text that it is", async () => {
    const stage = openStage();
    const script = {
      roles: {
        implementer: [
          {
            edits: [{ op: "write", path: hostileName, text: `// ${markup}\n` }],
            payload: { changedFiles: [hostileName] },
          },
        ],
      },
    };
    const goal = `Add ${markup} \u202enow [click](javascript:document.title='owned') ${"x".repeat(400)}`;
    const words = ["run", goal, "--stub-script", JSON.stringify(script), "--json", "--no-checks"];
    const id = stage.thehood(words).json<{ runId: string }>().runId;
    const { gate } = stage.thehood(["status", id, "--json"]).json<{ gate: { id: string } }>();
    stage.thehood(["approve", id, "--gate", gate.id, "--json"]);
    const page = await enter(await serve(stage));
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByText("onerror").filter({ visible: true }).first().waitFor();
    for (const view of ["run", "gate", "diff"]) {
      const of = new URLSearchParams({ repo: stage.repo.dir, id });
      await page.evaluate(`location.hash = ${JSON.stringify(`#/${view}?${of}`)}`);
      await page.locator("main h1").waitFor();
      await page.getByText("onerror").filter({ visible: true }).first().waitFor();
      expect(await page.locator("main img, main script").count()).toBe(0);
      expect(await page.locator("main a[href^='javascript']").count()).toBe(0);
      expect(await page.title()).not.toBe("owned");
      // A word without an end makes no page wider than the phone.
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
      expect(await page.locator("body").textContent()).not.toContain("\u202e");
    }
  });

  it("takes one of two answers that come together, and tells when the line is lost and back", async () => {
    const stage = openStage();
    const id = stage.run(fixing, ["--no-checks"]);
    const page = await enter(await serve(stage));
    const statuses = await page.evaluate(twice.replaceAll("RUN", JSON.stringify(id)));
    expect(statuses).toEqual([200, 409]);
    const passed = stage.thehood(["logs", id, "--json"]).out.match(/"type":"approval_recorded"/g) ?? [];
    expect(passed.length).toBe(1);
    // The run goes on beside; it is let come to its next gate.
    const standing = () => stage.thehood(["status", id, "--json"]).json<{ working: boolean; gate: object | null }>();
    await expect
      .poll(standing, { timeout: 120_000 })
      .toMatchObject({ working: false, gate: { title: expect.stringContaining("Apply") } });
    // Nothing moves any more: no call of the page meets the lost line by chance.
    await page.context().setOffline(true);
    await page.getByText("The server does not answer").waitFor();
    await page.context().setOffline(false);
    await page.getByText("The server does not answer").waitFor({ state: "hidden" });
  });
});
