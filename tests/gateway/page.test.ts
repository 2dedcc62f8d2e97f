// The page of a session in a real browser: the form for requested values, messages, evidence, snapshots, change and ledger.
import { afterAll, describe, expect, it } from "vitest";
import { detectSandbox } from "../../src/platform/sandbox/index.ts";
import { chromium, closeBrowser, enter, openStage, serve } from "../web/stage.ts";
import { openScene, type Answer } from "./support/scene.ts";

afterAll(closeBrowser);
const { kind: sandbox } = await detectSandbox();
const shown = it.skipIf(sandbox === "none" || !chromium);

/** One red pixel. */
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

async function opened() {
  const scene = await openScene();
  const { id: configurationId } = (await scene.ask("POST", "/api/configurations", { name: "shop" })).body as Answer;
  await scene.ask("POST", "/api/sessions", { kind: "coding", configurationId, start: true, id: "work" });
  const stage = openStage();
  Object.assign(stage.env, { THEHOOD_GATEWAY_URL: scene.url, THEHOOD_GATEWAY_TOKEN: scene.adminToken });
  return { scene, page: await enter(await serve(stage)) };
}

describe("[A-46] a person on the page of a session", () => {
  shown("gives the requested values in a form, and the agent goes on", async () => {
    const { scene, page } = await opened();
    const keys = [
      { key: "SHOP_KEY", description: "of the shop" },
      { key: "PORT", type: "env" },
      { key: "MAIL", required: false },
    ];
    await scene.ask("POST", "/api/sessions/work/message", {
      content: `CALL request_env_variables ${JSON.stringify({ keys })}`,
    });
    await scene.event("work", ({ type }) => type === "tool_end");
    await page.reload();
    await page.getByRole("link", { name: /waits for values: SHOP_KEY, PORT, MAIL/ }).click();
    const secret = page.getByLabel(/SHOP_KEY/);
    expect(await secret.getAttribute("type")).toBe("password");
    await secret.fill("typed-on-the-page-16180");
    await page.getByLabel(/PORT/).fill("8080");
    await page.getByRole("button", { name: "Give the values" }).click();
    const told = await scene.event("work", ({ data }) => data["text"] === "Configuration submitted.");
    expect(told.data["role"]).toBe("user");
    expect(JSON.parse(await scene.shell("work", "cat /tmp/.proliferate_env.json"))).toEqual({
      SHOP_KEY: "typed-on-the-page-16180",
      PORT: "8080",
    });
    await page.getByText("The agent waits for values").waitFor({ state: "detached" });
    expect(await page.content()).not.toContain("typed-on-the-page-16180");
  });

  shown(
    "sends a message, sees evidence as files and pictures, the change and the ledger, saves and restores",
    async () => {
      const { scene, page } = await opened();
      await scene.shell(
        "work",
        `mkdir -p .proliferate/.verification; echo "<b>all green</b>" > .proliferate/.verification/log.txt; printf ${png} | base64 -d > .proliferate/.verification/shot.png; echo one > app.txt`,
      );
      await page.getByRole("link", { name: /coding session/ }).click();
      await page.getByLabel("Message to the agent").fill("CALL verify {}");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText("shot.png (").click();
      const picture = page.getByRole("img", { name: "shot.png" });
      await picture.waitFor();
      expect(await picture.evaluate((image: { naturalWidth: number }) => image.naturalWidth)).toBe(1);
      await page.getByText("log.txt (").click();
      await page.getByText("<b>all green</b>").waitFor();
      await page.getByText("The change of the workspace").click();
      await page.getByText("diff --git a/app.txt b/app.txt").waitFor();
      await page.getByText("effects 1").waitFor();
      await page.getByRole("button", { name: "Save snapshot" }).click();
      await page.getByText("saved on the page").waitFor();
      await scene.shell("work", "echo two > app.txt");
      const last = (await scene.gateway.deps.store.events("work", 0, 10_000)).at(-1)?.seq ?? 0;
      await page.getByRole("button", { name: "Restore" }).click();
      await scene.event("work", ({ type, data }) => type === "status" && data["status"] === "running", last);
      await page.getByText(/before going back to/).waitFor();
      expect(await scene.shell("work", "cat app.txt")).toBe("one\n");
    },
  );
});
