// `oracle browser …`: what a person does with the browser itself.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  BrowserReport,
  BrowserStatus,
  SiteCheck,
  SiteDataDraft,
} from "../../src/core/contract/transport/index.ts";
import { StandIns } from "../sites/server.ts";
import { Stage, chromium } from "./stage.ts";

const canary = "canary-9b1e77c0ffee";

/** Every file below a folder, the profile of the browser left out. */
function filesOutside(folder: string, profile: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true, encoding: "utf8" })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(profile));
}

describe.skipIf(chromium === undefined)("oracle browser", () => {
  let sites: StandIns;
  let stage: Stage;
  beforeAll(async () => {
    sites = await new StandIns(canary).listen();
    stage = new Stage(sites);
    stage.env["ORACLE_BROWSER_MODE"] = "headless";
  });
  afterAll(async () => {
    await stage.endBrowser();
    stage.dispose();
    await sites.close();
  });
  const json = async <T>(...args: string[]) =>
    JSON.parse((await stage.run(["browser", ...args, "--json"])).stdout) as T;

  it("without a login a run says how to get one; a login is seen on the page and remembered", async () => {
    const before = await stage.run(["-p", "hello there"]);
    expect(before.stderr).toContain("engine browser: no key of an API is set");
    expect(before.stderr).toContain("oracle browser login chatgpt");
    expect(await json<BrowserStatus>("status")).toMatchObject({
      loggedIn: [],
      running: null,
      profileExists: false,
    });
    sites.set("", { autoLogin: true });
    expect((await stage.run(["browser", "login"])).code).toBe(0);
    sites.set("", {});
    const after = await json<BrowserStatus>("status");
    expect(after).toMatchObject({ loggedIn: ["chatgpt"], running: { tabs: [], waiting: 0 } });
    expect((await stage.run(["-p", "hello there"])).stdout).toBe("Hello.\n");
  });

  it("a key makes the API the engine, and the run says so", async () => {
    const ran = await stage.run(["-p", "hello there", "--dry-run", "json"], { env: { OPENAI_API_KEY: "x" } });
    expect(JSON.parse(ran.stdout)).toMatchObject({ engine: "api" });
  });

  it("[S-5] the profile is a folder of our own that only its user can enter", () => {
    const { folder } = stage;
    for (const path of [folder, join(folder, "profile")]) expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it("check reads a page and says which selector no longer holds; it sends nothing", async () => {
    const good = await json<SiteCheck>("check", "chatgpt");
    expect(good).toMatchObject({ ok: true, version: 2, model: "Auto" });
    stage.ownData("chatgpt", { marks: { modelButton: ["#gone"] } });
    const ran = await stage.run(["browser", "check", "chatgpt"]);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/MISSING +modelButton/);
    stage.times({});
    expect(sites.brain.posts.filter(({ caseId }) => caseId === "")).toHaveLength(1);
  });

  it("a check of a changed page becomes a data file that mends it when the user points to it", async () => {
    expect((await stage.run(["browser", "report", "gemini", "--as-data"])).stderr).toContain(
      "oracle browser check gemini",
    );
    expect((await stage.run(["browser", "report", "elsewhere", "--as-data"])).stderr).toContain("is not a site");
    stage.ownData("chatgpt", { marks: { composer: ["#gone"], modelButton: ["#gone-too"] } });
    const check = await json<SiteCheck>("check", "chatgpt");
    expect(check.parts.filter(({ holds }) => !holds).map(({ name }) => name)).toEqual(["composer", "modelButton"]);
    const draft = await json<SiteDataDraft>("report", "--as-data");
    expect(draft).toMatchObject({ site: "chatgpt", missing: ["modelButton"] });
    expect(draft.changed).toContain("composer");
    expect(JSON.parse(readFileSync(draft.data, "utf8"))).toMatchObject({
      site: "chatgpt",
      marks: { composer: expect.arrayContaining(["#prompt-textarea", "#gone"]) as unknown },
    });
    stage.times({});
    const pointed = { ORACLE_BROWSER_DATA: draft.data };
    const again = JSON.parse(
      (await stage.run(["browser", "check", "chatgpt", "--json"], { env: pointed })).stdout,
    ) as SiteCheck;
    expect(again).toMatchObject({ ok: true, override: draft.data });
    const html = readFileSync(join(stage.folder, "reports", "check-chatgpt.html"), "utf8");
    expect(html).not.toMatch(/\bme@example|Ask anything<|canary/);
  });

  it("a machine without a display says so; nothing is sent", async () => {
    const bare = { ORACLE_BROWSER_MODE: "visible", DISPLAY: "", WAYLAND_DISPLAY: "" };
    const asked = await stage.ask("chatgpt", {}, [], bare);
    expect(asked.result.error).toMatchObject({ code: "browser_missing" });
    expect(asked.result.error?.message).toContain("no display");
    expect(asked.posts).toEqual([]);
    const hidden = await stage.ask("chatgpt", {}, [], { ...bare, ORACLE_BROWSER_MODE: "", PATH: "/nowhere" });
    expect(hidden.result.error?.remedy).toMatch(/xvfb.*ORACLE_BROWSER_MODE=headless/s);
  });

  it("a user's own data mends a site that has changed", async () => {
    stage.ownData("chatgpt", { marks: { send: ["#renamed"] } });
    expect((await stage.ask("chatgpt", {})).result.error?.code).toBe("page_changed");
    stage.ownData("chatgpt", { marks: { send: ["#renamed", "[data-testid='send-button']"] } });
    expect((await stage.ask("chatgpt", {})).result.status).toBe("success");
    const turns = ["[[", "[data-message-author-role='user']", "[data-turn='user']"];
    stage.ownData("chatgpt", { marks: { user: turns } });
    expect((await stage.ask("chatgpt", {})).result, "a selector that does not parse finds nothing").toMatchObject({
      status: "success",
    });
    stage.ownData("chatgpt", { marks: { send: "no list" } });
    expect((await stage.ask("chatgpt", {})).result.error?.code).toBe("invalid_config");
    stage.times({});
  });

  it("report makes a page without a readable word of the last failed step", async () => {
    await stage.ask("chatgpt", { strangeDialog: true });
    const { report, page } = await json<BrowserReport>("report");
    expect(readFileSync(report, "utf8")).toMatch(/page_blocked[\s\S]*data of the site: version 2/);
    const html = readFileSync(page ?? "", "utf8");
    expect(html).toContain("prompt-textarea");
    expect(html).not.toMatch(/Confirm your age|\bme@example/);
  });

  it("[S-1] a canary cookie is in the profile and in no file outside of it", async () => {
    await stage.ask("chatgpt", { answers: ["Yes."] }, ["--dom-snapshot", "100"]);
    await stage.ask("chatgpt", { strangeDialog: true });
    const profile = join(stage.folder, "profile");
    const leaks = filesOutside(stage.dir, profile).filter((path) => readFileSync(path).includes(canary));
    expect(leaks).toEqual([]);
  });

  it("stop ends the browser and all its processes", async () => {
    expect(await json("stop")).toEqual({ stopped: true });
    expect(await stage.processesAfter(5_000)).toEqual([]);
    expect(await json("stop")).toEqual({ stopped: false });
  });

  it("a browser that no run needs ends by itself", async () => {
    const asked = await stage.ask("chatgpt", {}, [], { ORACLE_BROWSER_IDLE_MS: "300" });
    expect(asked.result).toMatchObject({ status: "success", error: null });
    expect(await stage.processesAfter(15_000)).toEqual([]);
  });

  it("without a browser on the machine a run says what to install", async () => {
    const asked = await stage.ask("chatgpt", {}, [], { ORACLE_BROWSER: "/nowhere/chrome" });
    expect(asked.result.error).toMatchObject({
      code: "browser_missing",
      message: "ORACLE_BROWSER names /nowhere/chrome, and there is no such program.",
    });
    expect(asked.result.error?.remedy).toMatch(/unset ORACLE_BROWSER.*apt-get install chromium.*OPENAI_API_KEY/s);
  });
});
