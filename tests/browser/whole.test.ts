import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { StandIns } from "../sites/server.ts";
import { Stage, chromium } from "./stage.ts";

describe.skipIf(chromium === undefined)("oracle in a real browser", () => {
  let sites: StandIns;
  let stage: Stage;
  beforeAll(async () => {
    sites = await new StandIns("canary-7f3a").listen();
    stage = new Stage(sites);
    await stage.logIn();
  }, 120_000);
  afterAll(async () => {
    await stage.endBrowser();
    stage.dispose();
    await sites.close();
  });

  it.each(["chatgpt", "copilot", "gemini"] as const)(
    "%s: a question is asked once and its whole answer comes home",
    async (site) => {
      const answer = "Yes.\n\n```js\nconst a  =  1;\t\n```\n\nDone.";
      const { url, id } = stage.scene(site, { answers: [answer] });
      const ran = await stage.run([
        "--prompt",
        `What is this?\nSecond line of ${site}`,
        "--browser-url",
        url,
        "--json",
      ]);
      expect(ran.code).toBe(0);
      expect(sites.postsOf(id)).toHaveLength(1);
      expect(sites.postsOf(id)[0]?.prompt).toBe(`What is this?\nSecond line of ${site}`);
    },
  );
});
