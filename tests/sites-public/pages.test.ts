// The second set of stand-ins works by itself: each page is driven by plain DOM calls in Chromium.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { removeFolder } from "../support/remove-folder.ts";
import type { PublicScenario } from "./scenario.ts";
import { PublicStandIns } from "./set.ts";
import { Browser, type Tab, chromium } from "./tab.ts";

const answer =
  "Change it:\n\n```diff\ndiff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+new\n```\n\nThat is all.";
const homes = {
  chatgpt: "https://chatgpt.com/",
  copilot: "https://github.com/copilot",
  gemini: "https://gemini.google.com/app",
};
type Site = keyof typeof homes;

/** The selectors of this test: what the sources of the pages name. */
const of = {
  chatgpt: {
    composer: "#prompt-textarea[contenteditable]",
    send: "button[data-testid=send-button]",
    stop: "[data-testid=stop-button]",
    user: "[data-message-author-role=user]",
    answer: "[data-message-author-role=assistant] .markdown",
    done: "section[data-turn=assistant] [data-testid=copy-turn-action-button]",
    input: "#upload-files",
    chip: '[role=group][class*="file-tile"]',
    address: "/^\\/c\\/[0-9a-f-]{36}$/",
  },
  gemini: {
    composer: "rich-textarea .ql-editor[role=textbox]",
    send: "button.send-button:not(.stop)",
    stop: "button.send-button.stop",
    user: "user-query .query-text",
    answer: "model-response message-content .markdown",
    done: "model-response .response-footer.complete [data-test-id=copy-button]",
    input: "images-files-uploader input[type=file]",
    chip: "uploader-file-preview",
    address: "/^\\/app\\/[0-9a-f]{16}$/",
  },
  copilot: {
    composer: "#copilot-chat-textarea",
    send: "form button:has(svg.octicon-paper-airplane)",
    stop: "form button:has(svg.octicon-square-fill)",
    user: '[class*="UserMessage-module__container"]',
    answer: '[class*="ChatMessage-module__ai"] [data-copilot-markdown]',
    done: '[class*="ChatMessage-module__ai"] [aria-label="Copy to clipboard"]',
    input: "input#image-uploader",
    chip: '[aria-label=Attachments] a[class*="ReferenceToken-module__referenceToken"]',
    address: "/^\\/copilot\\/c\\/[0-9a-f-]{36}$/",
  },
} as const;

const record = `navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }; true`;

describe.skipIf(chromium === undefined)("the stand-ins of public evidence", () => {
  const standIns = new PublicStandIns("canary-public");
  const folder = mkdtempSync(join(tmpdir(), "public-files-"));
  let browser: Browser;
  let cases = 0;

  beforeAll(async () => {
    await standIns.listen();
    browser = new Browser(standIns.browserArgs.split(/\s+(?=--)/));
    for (const site of ["chatgpt", "copilot", "gemini"] as const) {
      const tab = await browser.open(`${new URL(homes[site]).origin}/standin/login?to=/`);
      const there = `location.hostname === "${new URL(homes[site]).hostname}" && location.pathname !== "/standin/login"`;
      await tab.until(`document.readyState === "complete" && ${there}`);
    }
  });

  afterAll(async () => {
    await browser.close();
    await standIns.close();
    removeFolder(folder);
  });

  async function open(
    site: Site,
    scenario: Partial<PublicScenario>,
  ): Promise<{ readonly tab: Tab; readonly id: string }> {
    cases += 1;
    const id = `public-${cases}`;
    standIns.set(id, scenario);
    return { tab: await browser.open(`${homes[site]}?case=${id}`), id };
  }

  async function send(tab: Tab, site: Site, text: string): Promise<void> {
    await tab.type(of[site].composer, text);
    await tab.until(
      `(() => { const b = document.querySelector(${JSON.stringify(of[site].send)}); return b !== null && !b.disabled; })()`,
    );
    await tab.press(of[site].send);
  }

  for (const site of ["chatgpt", "gemini", "copilot"] as const)
    describe(site, () => {
      it("takes two messages, copies the source of an answer, and comes back with the conversation", async () => {
        const { tab, id } = await open(site, { answers: [answer, "Second."], rerenderMs: 300, composerMs: 200 });
        await send(tab, site, "Line one.\nLine two.");
        await tab.has(of[site].done);
        await tab.read(record);
        await tab.press(of[site].done);
        await tab.until("window.copied !== undefined");
        expect(await tab.read("window.copied")).toBe(answer);
        expect(await tab.read(`document.querySelector(${JSON.stringify(of[site].answer)}).innerText`)).not.toContain(
          "```",
        );
        await tab.until(`${of[site].address}.test(location.pathname)`);
        await send(tab, site, "And now?");
        await tab.until(`document.querySelectorAll(${JSON.stringify(of[site].done)}).length === 2`);
        expect(standIns.postsOf(id).map(({ prompt }) => prompt)).toEqual(["Line one.\nLine two.", "And now?"]);
        await tab.go(String(await tab.read("location.origin + location.pathname")));
        await tab.until(`document.querySelectorAll(${JSON.stringify(of[site].user)}).length === 2`);
        expect(await tab.text(of[site].answer)).toBe("Second.");
      });

      it("uploads a file as it is, and sends nothing before it is there", async () => {
        const { tab, id } = await open(site, { uploadMs: 2_000 });
        const path = join(folder, `${site}-notes.md`);
        writeFileSync(path, "# Notes\n");
        if (site === "gemini") await tab.press('button[aria-label="Upload & tools"]');
        await tab.files(of[site].input, [path]);
        await tab.type(of[site].composer, "Read it.");
        await tab.press(of[site].composer);
        await tab.has(`${of[site].chip} [role=progressbar]`);
        await tab.read(`document.querySelector(${JSON.stringify(of[site].send)})?.click()`);
        expect(standIns.postsOf(id)).toEqual([]);
        await tab.until(`document.querySelector(${JSON.stringify(`${of[site].chip} [role=progressbar]`)}) === null`);
        await tab.press(of[site].send);
        await tab.has(of[site].done);
        expect(standIns.postsOf(id)[0]?.files).toMatchObject([{ name: `${site}-notes.md`, bytes: 8 }]);
      });

      it("shows a status before the answer, stops on request, and names a limit", async () => {
        const { tab } = await open(site, {
          preamble: "Looking at it",
          answers: [answer],
          chunks: 40,
          chunkMs: 500,
          limit: "toast_after_send",
        });
        await send(tab, site, "Go.");
        await tab.until(
          `[...document.querySelectorAll(${JSON.stringify(of[site].answer)})].at(-1)?.textContent === "Looking at it"`,
        );
        await tab.until(`document.body.innerText.includes("too quickly")`);
        await tab.press(of[site].stop);
        await tab.until(`document.querySelector(${JSON.stringify(of[site].stop)}) === null`);
      });

      it("asks for a login, and for a proof that a person is there", async () => {
        const walled = await open(site, { wall: "challenge" });
        await walled.tab.until(`document.title === "Just a moment..."`);
        const out = await open(site, { wall: "logged_out" });
        const login = { chatgpt: "[data-testid=login-button]", copilot: "#login_field", gemini: "#login_field" }[site];
        await out.tab.has(login);
        expect(await out.tab.read(`document.querySelector(${JSON.stringify(of[site].answer)})`)).toBeNull();
      });
    });

  it("chatgpt: a model by the keyboard only, an effort by arrow keys, and a pill that names neither while it is open", async () => {
    const { tab } = await open("chatgpt", { menuTextMs: 50 });
    const pill = "button.__composer-pill[aria-haspopup=menu]";
    await tab.has(pill);
    expect(await tab.text(pill)).toBe("Medium");
    await tab.mouse(pill);
    await tab.until(`document.querySelector("${pill}").textContent === "Thinking effort"`);
    const radio = "[data-testid=composer-model-picker-slider-advanced-view] [role=menuitemradio]:nth-child(2)";
    await tab.until(`document.querySelector("${radio}")?.textContent === "GPT-5.6 Sol"`);
    expect(await tab.read(`document.querySelector("${radio}").closest("[inert]") !== null`)).toBe(true);
    await tab.press('[role=menuitem][aria-label="Select model"]');
    await tab.mouse(radio);
    expect(await tab.read(`document.querySelector("${radio}").getAttribute("aria-checked")`)).toBe("false");
    await tab.read(`document.querySelector("${radio}").focus()`);
    await tab.key("Enter");
    await tab.until(`document.querySelector("${radio}")?.getAttribute("aria-checked") === "true"`);
    await tab.read(`document.querySelector("[role=menuitem][aria-label=Power]").focus()`);
    for (let press = 0; press < 3; press += 1) await tab.key("ArrowRight");
    await tab.until(`document.querySelector("#effort-caption").textContent === "Pro, 5 of 5."`);
    await tab.key("Escape");
    await tab.until(`document.querySelector("${pill}").textContent === "5.6 Pro"`);
  });

  it("chatgpt: an address that nothing opens again, and Work, which is no chat", async () => {
    const { tab, id } = await open("chatgpt", { transientMs: 2_500, surface: "work" });
    await send(tab, "chatgpt", "Hello.");
    await tab.until(`location.pathname.startsWith("/c/WEB:")`);
    await tab.until(`${of.chatgpt.address}.test(location.pathname)`);
    expect(standIns.postsOf(id)).toEqual([]);
    expect(standIns.postsOf(`work:${id}`)).toHaveLength(1);
  });

  it("gemini in Japanese: no English name on a control, modes by their ids, labels that come late", async () => {
    const { tab } = await open("gemini", { language: "ja", menuTextMs: 1_500 });
    await tab.press("button[data-test-id=bard-mode-menu-button]");
    const pro = "gem-menu-item[data-mode-id=e6fa609c3fa255c0]";
    await tab.has(pro);
    expect(await tab.text(`${pro} .label`)).toBe("");
    await tab.until(`document.querySelector("${pro} .label")?.textContent === "3.1 Pro"`);
    await tab.press(pro);
    await tab.until(`document.querySelector("${pro}")?.classList.contains("selected") === true`);
    await tab.press("gem-menu-item:not([data-mode-id])");
    expect(await tab.text("[data-test-id=logo-pill-label-container]")).toBe("Pro拡張");
    expect(
      await tab.read(
        `document.querySelector('[aria-label*="Send" i], [aria-label*="Upload" i], [aria-label*="Google Account"]')`,
      ),
    ).toBeNull();
    await tab.has('a[href*="accounts.google.com/SignOutOptions"]');
  });

  it("copilot: Agent starts a task, no conversation, and refuses a text file", async () => {
    const { tab, id } = await open("copilot", { copilotMode: "Agent", repository: "jo/app" });
    await tab.has('button[aria-label="Repository: jo/app"]');
    const path = join(folder, "agent.md");
    writeFileSync(path, "text");
    await tab.files(of.copilot.input, [path]);
    await tab.until(`document.body.innerText.includes("not supported")`);
    await send(tab, "copilot", "Do it.");
    await tab.has('a[class*="DashboardListView-module__ItemTitle"]');
    expect(await tab.read("location.pathname")).toBe("/copilot");
    expect(standIns.postsOf(id)).toEqual([]);
    expect(standIns.postsOf(`agent:${id}`)).toHaveLength(1);
  });

  it("copilot: the user's message is inside of its turn, below a heading that repeats it", async () => {
    const { tab } = await open("copilot", {});
    await send(tab, "copilot", "What is this?");
    await tab.has(of.copilot.done);
    expect(await tab.text(of.copilot.user)).toBe("What is this?");
    expect(await tab.text('[class*="ChatMessage-module__user"] h3.sr-only')).toBe("You said: What is this?");
  });
});
