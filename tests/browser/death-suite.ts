// kill -9 of our process, of the browser, of the page and of the keeper, at each step: the answer is brought home by
// another process, or the failure is told; a message is never sent twice and nothing is left behind.
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { browserStatus } from "../../src/oracle/browser/index.ts";
import { sites, type SessionRecord, type Site } from "../../src/core/contract/transport/index.ts";
import { resultSchema } from "../../src/core/contract/transport/schema/index.ts";
import type { Scenario } from "../sites/scenario.ts";
import type { PublicScenario } from "../sites-public/scenario.ts";
import type { StageInUse } from "./stage-for.ts";
import type { Stage } from "./stage.ts";

const answer = `It goes on.\n\n\`\`\`txt\n${"a line of the answer\n".repeat(6)}\`\`\`\n\nThe end.`;
const slow: Partial<Scenario> = { answers: [answer], chunks: 6, chunkMs: 500 };

async function until(what: () => boolean | Promise<boolean>, about: string): Promise<void> {
  for (let tries = 0; !(await what()); tries += 1) {
    if (tries > 1_500) throw new Error(`${about} did not happen`);
    await pause(20);
  }
}

/** A run that has come as far as `when` says. */
export async function begin(
  stage: Stage,
  scenario: Partial<PublicScenario>,
  when: (at: { record: SessionRecord; log: string; text: string }) => boolean,
  site: Site = "chatgpt",
) {
  const { url, id } = stage.scene(site, scenario);
  const before = new Set(stage.sessionIds);
  const child = stage.start(["-p", `Tell me about ${id}`, "--browser-url", url, "--json"], {
    ORACLE_NO_DETACH: "1",
  });
  const ended = stage.ended(child);
  const session = () => stage.sessionIds.find((one) => !before.has(one)) ?? "";
  const read = (name: string) =>
    existsSync(stage.file(session(), name)) ? readFileSync(stage.file(session(), name), "utf8") : "";
  await until(() => {
    if (session() === "" || read("session.json") === "") return false;
    const record = JSON.parse(read("session.json")) as SessionRecord;
    const text = stage.sites.brain.posts.some((post) => post.caseId === id)
      ? ([...stage.sites.brain.talks.values()].find(({ caseId }) => caseId === id)?.turns.at(-1)?.text ?? "")
      : "";
    return when({ record, log: read("output.log"), text });
  }, "the step");
  return { child, ended, id, session: session() };
}

export async function restart(stage: Stage, session: string, ...more: string[]) {
  const ran = await stage.run(["restart", session, "--json", ...more]);
  const result = resultSchema.parse(JSON.parse(ran.stdout));
  const text = result.answerPath === null ? null : readFileSync(result.answerPath, "utf8");
  return { result, text };
}

/** Somebody can open the conversation again. Not so while the address is one of a moment. */
const isKept = ({ conversation }: SessionRecord): boolean =>
  conversation?.stage === "sent" && /\/(?:c|app)\/[\da-f][\da-f-]{15}/.test(conversation.url ?? "");

/** The same on every set of pages. */
export function deathTests(on: StageInUse): void {
  const noTabs = async () => (await browserStatus(on.stage.deps)).running?.tabs ?? [];

  it.each(sites)("our process dies before it sends on %s: nothing was sent, and a restart sends once", async (site) => {
    const late = { ...slow, composerMs: 1_500 };
    const run = await begin(on.stage, late, ({ log }) => log.includes("opening "), site);
    run.child.kill("SIGKILL");
    await run.ended;
    expect(on.sites.postsOf(run.id)).toEqual([]);
    expect((await restart(on.stage, run.session)).text).toBe(answer);
    expect(on.sites.postsOf(run.id)).toHaveLength(1);
  });

  it.each(["copilot", "gemini"] as const)(
    "our process dies after it sent on %s: a restart brings the answer and sends nothing again",
    async (site) => {
      const run = await begin(on.stage, slow, ({ record, text }) => isKept(record) && text !== "", site);
      run.child.kill("SIGKILL");
      await run.ended;
      const again = await restart(on.stage, run.session);
      expect(again.result).toMatchObject({ status: "success", error: null });
      expect(again.text).toBe(answer);
      expect(on.sites.postsOf(run.id)).toHaveLength(1);
    },
  );

  it.each(sites)(
    "our process dies between the press and the proof on %s: its tab is taken over, nothing is sent again",
    async (site) => {
      const run = await begin(
        on.stage,
        { ...slow, slowSendMs: 1_500 },
        ({ record }) => record.conversation?.stage === "sending",
        site,
      );
      await until(() => on.sites.postsOf(run.id).length > 0, "the post");
      run.child.kill("SIGKILL");
      await run.ended;
      const again = await restart(on.stage, run.session);
      expect(again.result).toMatchObject({ status: "success", error: null });
      expect(again.text).toBe(answer);
      expect(on.sites.postsOf(run.id)).toHaveLength(1);
    },
  );

  it.each(sites)(
    "our process and the browser die between the press and the proof on %s: reported as in doubt, nothing is sent again",
    async (site) => {
      const run = await begin(
        on.stage,
        { ...slow, slowSendMs: 3_000 },
        ({ record }) => record.conversation?.stage === "sending",
        site,
      );
      await until(() => on.sites.postsOf(run.id).length > 0, "the post");
      run.child.kill("SIGKILL");
      on.stage.killBrowser("keeper");
      await run.ended;
      await until(() => on.stage.browserProcesses().length === 0, "the end of the browser");
      expect((await restart(on.stage, run.session)).result).toMatchObject({
        status: "error",
        error: { code: "send_unproven" },
      });
      expect(on.sites.postsOf(run.id)).toHaveLength(1);
    },
  );

  it.each(sites)(
    "our process and the browser die while the answer comes on %s: another one brings it home",
    async (site) => {
      const run = await begin(on.stage, slow, ({ record, text }) => isKept(record) && text !== "", site);
      on.stage.killBrowser("keeper");
      run.child.kill("SIGKILL");
      await run.ended;
      expect((await restart(on.stage, run.session)).text).toBe(answer);
      expect(on.sites.postsOf(run.id)).toHaveLength(1);
    },
  );

  it.each([
    ["browser", "browser_gone"],
    ["keeper", "browser_gone"],
    ["page", "page_crashed"],
  ] as const)("the %s dies while the answer comes: %s, and a restart brings it home", async (victim, code) => {
    const run = await begin(on.stage, slow, ({ record, text }) => isKept(record) && text !== "");
    on.stage.killBrowser(victim);
    const { stdout } = await run.ended;
    expect(resultSchema.parse(JSON.parse(stdout))).toMatchObject({ status: "error", error: { code } });
    if (victim !== "page") await until(() => on.stage.browserProcesses().length === 0, "the end of the browser");
    expect((await restart(on.stage, run.session)).text).toBe(answer);
    expect(on.sites.postsOf(run.id)).toHaveLength(1);
  });

  it("a run that timed out leaves its answer to be fetched", async () => {
    const { url, id } = on.stage.scene("gemini", { ...slow, thinkingMs: 3_000 });
    const ran = await on.stage.run(["-p", `Slowly, ${id}`, "--browser-url", url, "--json", "--timeout", "3s"]);
    const first = resultSchema.parse(JSON.parse(ran.stdout));
    expect(first.status).toBe("timeout");
    expect((await restart(on.stage, first.sessionId ?? "", "--timeout", "1m")).text).toBe(answer);
    expect(on.sites.postsOf(id)).toHaveLength(1);
  });

  it("a cancelled run tells the page to stop, and no tab is left", async () => {
    const run = await begin(on.stage, slow, ({ record, text }) => record.conversation?.stage === "sent" && text !== "");
    run.child.kill("SIGINT");
    const { stdout } = await run.ended;
    expect(resultSchema.parse(JSON.parse(stdout))).toMatchObject({
      status: "error",
      error: { code: "interrupted" },
    });
    await until(async () => (await noTabs()).length === 0, "the end of the tab");
  });
}
