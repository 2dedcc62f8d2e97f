// A person allows a destination for later transfers at its first gate: by the button of the page, and by a key.
import process from "node:process";
import { afterAll, describe, expect, it } from "vitest";
import { crew, scene, thehood } from "../cli/endpoints-scene.ts";
import { bin } from "../cli/program.ts";
import { openTerminal } from "../terminal/terminal.ts";
import { chromium, closeBrowser, enter, serve } from "../web/stage.ts";
import { brain, cloud } from "./cloud.ts";

afterAll(closeBrowser);

const run = ["run", "make add() add", ...crew("cloud")];

async function opened() {
  const { server, desk } = await scene(() => ({ cloud }), brain);
  Object.assign(desk.env, { HTTP_PROXY: server.origin });
  const allowed = async () => {
    const { out } = await thehood(desk, ["access", "--json"]);
    return (JSON.parse(out) as { allowed: object[] }).allowed;
  };
  return { server, desk, allowed };
}

const asShown = [{ provider: "cloud", place: "models.example/v1", maxBytes: 300_000 }];

describe("[B-3] [B-27] remember at the first transfer to a destination", () => {
  it.skipIf(!chromium)("by the button of the page", async () => {
    const { server, desk, allowed } = await opened();
    await thehood(desk, run);
    expect([server.asked.length, await allowed()]).toEqual([0, []]);
    const page = await enter(await serve(desk));
    await page.setViewportSize({ width: 1280, height: 6_000 });
    await page
      .getByRole("link", { name: /make add/ })
      .first()
      .click();
    const remember = page.getByRole("button", { name: /^Approve and remember/ });
    await remember.waitFor();
    expect(await page.content()).toContain("300000");
    await remember.click();
    await expect.poll(allowed, { timeout: 60_000 }).toMatchObject(asShown);
    await expect.poll(() => server.asked.length, { timeout: 60_000 }).toBe(1);
  });

  it("by the key m in the terminal; the next question is the plan", async () => {
    const { server, desk, allowed } = await opened();
    const { NO_COLOR: _, ...env } = desk.env;
    const argv = [process.execPath, bin, ...run];
    const terminal = openTerminal({ argv, cwd: desk.repo.dir, env, columns: 120, rows: 120 });
    await terminal.shows("m approve and remember");
    expect(server.asked).toHaveLength(0);
    terminal.keys("m");
    await terminal.shows("remember");
    terminal.keys("y");
    await terminal.shows("y start");
    expect(await allowed()).toMatchObject(asShown);
    expect(server.asked).toHaveLength(1);
    terminal.keys("l");
    await terminal.ended;
  });
});
