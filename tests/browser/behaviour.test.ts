// What pages do to a driver, one behaviour at a time: each either ends in the whole answer or in the failure that is true.
import { describe, expect, it } from "vitest";
import type { Site } from "../../src/core/contract/transport/index.ts";
import type { Scenario } from "../sites/scenario.ts";
import { stageFor } from "./stage-for.ts";
import { chromium } from "./stage.ts";

const answer = [
  "Here is the change, with `code` and **weight**.",
  "",
  "```diff",
  "diff --git a/x b/x",
  "--- a/x",
  "+++ b/x",
  "@@ -1,2 +1,2 @@",
  "-a  b\t",
  "+a  c\t  ",
  "  context <tag> & more",
  "```",
  "",
  "- one",
  "- two",
  "",
  "It says: just a moment, your ray id is 7, too many requests.",
].join("\n");

type Row = readonly [title: string, site: Site, scenario: Partial<Scenario>];

/** Whole, in spite of everything. */
const whole: readonly Row[] = [
  [
    "the composer comes late, behind an announcement, beside a hidden one",
    "chatgpt",
    { composerMs: 1_200, announcement: true },
  ],
  ["an announcement covers the page", "copilot", { announcement: true }],
  ["an announcement covers the page", "gemini", { announcement: true }],
  ["the page speaks another language", "gemini", { language: "de" }],
  ["a long poll of another host stays open", "gemini", { longPoll: true }],
  ["a request of the page goes on for ever", "chatgpt", { longPoll: true }],
  ["the page speaks another language", "chatgpt", { language: "de" }],
  ["the first press of the send button is swallowed", "chatgpt", { swallowedPresses: 1 }],
  ["the message is shown long after it was sent", "copilot", { slowSendMs: 2_000 }],
  ["the answer comes with pauses longer than any quiet window", "chatgpt", { pauses: [200, 1_800, 100, 1_500] }],
  [
    "the finished bar is there from the first word, with a pause",
    "chatgpt",
    { done: "early", stopFlickers: true, pauses: [1_500, 1_500] },
  ],
  [
    "the finished bar is there from the first word, with a pause",
    "gemini",
    { done: "early", stopFlickers: true, pauses: [1_500] },
  ],
  ["the finished bar flickers before it stays", "copilot", { done: "flickers" }],
  ["a preamble comes before the answer", "gemini", { preamble: "Let me look at that.", pauses: [900] }],
  ["it thinks for long and says so", "gemini", { thinkingMs: 1_500 }],
  ["every word replaces the whole node", "chatgpt", { replaceNode: true, chunks: 20 }],
  ["the page loads itself again in the middle", "chatgpt", { end: "reload", chunks: 10, chunkMs: 120 }],
  ["the network breaks, although the finished bar is there", "chatgpt", { end: "network", done: "early" }],
  ["the page goes elsewhere in the middle", "chatgpt", { end: "navigate", chunks: 10, chunkMs: 150 }],
  ["code is folded", "copilot", { collapsed: true }],
  ["code is folded and there is no copy button", "gemini", { collapsed: true, copy: "none" }],
  ["code has line numbers and the copy button fails", "chatgpt", { lineNumbers: true, copy: "fails" }],
  ["the copy button copies only part", "copilot", { copy: "part" }],
  ["the copy button copies something else", "chatgpt", { copy: "old" }],
  ["the copy button copies an item", "gemini", { copy: "item" }],
];

interface Failed {
  readonly title: string;
  readonly site: Site;
  readonly scenario: Partial<Scenario>;
  readonly code: string;
  /** Messages that reached the server. */
  readonly posts: number;
  readonly args?: readonly string[];
}

/** Never a success. */
const failed: readonly Failed[] = [
  {
    title: "a challenge",
    site: "chatgpt",
    scenario: { wall: "challenge" },
    code: "challenge_page",
    posts: 0,
  },
  { title: "a throttle dialog", site: "gemini", scenario: { wall: "throttle" }, code: "throttled", posts: 0 },
  {
    title: "a throttle dialog after the send",
    site: "chatgpt",
    scenario: { wall: "throttle_after_send" },
    code: "throttled",
    posts: 1,
  },
  {
    title: "an unknown dialog",
    site: "copilot",
    scenario: { strangeDialog: true },
    code: "page_blocked",
    posts: 0,
  },
  {
    title: "the composer has another name now",
    site: "gemini",
    scenario: { composerGone: true },
    code: "page_changed",
    posts: 0,
  },
  {
    title: "the composer takes only part of the prompt",
    site: "chatgpt",
    scenario: { cutPromptAt: 10 },
    code: "prompt_refused",
    posts: 0,
  },
  {
    title: "a send button without any effect",
    site: "copilot",
    scenario: { swallowedPresses: 99 },
    code: "send_unproven",
    posts: 0,
  },
  {
    title: "a send that the page never shows",
    site: "chatgpt",
    scenario: { sendNeverShows: true },
    code: "send_unproven",
    posts: 1,
  },
  {
    title: "a banner with a limit",
    site: "chatgpt",
    scenario: { notice: "You've hit the Pro limit. Your limit resets at 4:10 PM." },
    code: "throttled",
    posts: 0,
  },
  {
    title: "a mode where a message starts a task",
    site: "copilot",
    scenario: { mode: "Agent", modeFixed: true },
    code: "page_blocked",
    posts: 0,
  },
  {
    title: "a mode where a message starts a task",
    site: "chatgpt",
    scenario: { mode: "Work", modeFixed: true },
    code: "page_blocked",
    posts: 0,
  },
  {
    title: "a model that the page does not have",
    site: "chatgpt",
    scenario: {},
    code: "model_unavailable",
    posts: 0,
    args: ["--model", "Ultra"],
  },
  {
    title: "a model that goes back",
    site: "gemini",
    scenario: { modelReverts: true },
    code: "model_unavailable",
    posts: 0,
    args: ["--model", "Pro"],
  },
  {
    title: "another model that answers",
    site: "chatgpt",
    scenario: { answeringModel: "Mini" },
    code: "model_unavailable",
    posts: 1,
    args: ["--model", "Pro"],
  },
];

/** Part of an answer, expected as such. */
const partial: readonly Row[] = [
  ["the page gives up in the middle", "chatgpt", { end: "banner" }],
  ["the page gives up in the middle", "copilot", { end: "banner" }],
];

const out: readonly Failed[] = (["chatgpt", "copilot", "gemini"] as const).map((site) => ({
  title: "the user is not logged in",
  site,
  scenario: { wall: "logged_out" },
  code: "login_required",
  posts: 0,
}));

describe.skipIf(chromium === undefined)("[S-4][S-5] what a page does", () => {
  const on = stageFor();

  for (const [title, site, scenario] of whole)
    it.concurrent(`whole: ${title} (${site})`, async () => {
      const asked = await on.stage.ask(site, { answers: [answer], ...scenario });
      expect(asked.result).toMatchObject({ status: "success", error: null });
      const text = asked.answer ?? "";
      const diff = answer.slice(answer.indexOf("```diff"), answer.lastIndexOf("```") + 3);
      const isCopied = asked.result.captureSource === "copy_button";
      expect(text).toContain(isCopied ? answer : diff);
      expect(isCopied ? text.length : answer.length).toBe(answer.length);
      expect(text.replaceAll(/\s+/g, " ")).toContain(answer.replaceAll(/\s+/g, " "));
      expect(asked.posts).toHaveLength(1);
    });

  for (const { title, site, scenario, code, posts, args } of failed)
    it.concurrent(`failed: ${title} (${site}): ${code}`, async () => {
      const asked = await on.stage.ask(site, { answers: [answer], ...scenario }, args);
      expect(asked.result).toMatchObject({ status: "error", error: { code } });
      expect(asked.result.error?.remedy).toMatch(/\w/);
      expect(asked.posts).toHaveLength(posts);
    });

  for (const [title, site, scenario] of partial)
    it.concurrent(`partial: ${title} (${site})`, async () => {
      const asked = await on.stage.ask(site, { answers: [answer], ...scenario });
      expect(asked.result.status).toBe("partial");
      expect(answer.startsWith((asked.answer ?? "x").slice(0, 20))).toBe(true);
      expect(asked.posts).toHaveLength(1);
    });

  it.concurrent("unproved: the finished marks never come, and the deadline ends it as timeout with the text kept", async () => {
    const asked = await on.stage.ask("chatgpt", { answers: [answer], done: "never" }, ["--timeout", "20s"]);
    expect(asked.result).toMatchObject({ status: "timeout", error: { code: "timeout" } });
    expect(asked.answer).toContain("Here is the change");
  });

  it.concurrent("unproved: a network that breaks again and again", async () => {
    const scenario = { answers: [answer], end: "network", chunkMs: 9_000 } as const;
    const asked = await on.stage.ask("gemini", scenario, ["--timeout", "15s"]);
    expect(["partial", "timeout"]).toContain(asked.result.status);
    expect(asked.posts).toHaveLength(1);
  });

  it.concurrent("unproved: a stream that simply ends is no answer", async () => {
    const asked = await on.stage.ask("copilot", { answers: [answer], end: "cut" }, ["--timeout", "20s"]);
    expect(asked.result.status).toBe("timeout");
  });

  it.concurrent("a model is chosen in a submenu and read back", async () => {
    const asked = await on.stage.ask("chatgpt", { modelInSubmenu: true }, ["--model", "chatgpt-pro"]);
    expect(asked.result).toMatchObject({ status: "success", model: "Pro" });
  });

  it.concurrent.each([
    ["chatgpt", "Work"],
    ["copilot", "Agent"],
  ] as const)("%s in the mode %s is switched to the chat", async (site, mode) => {
    const asked = await on.stage.ask(site, { mode });
    expect(asked.result).toMatchObject({ status: "success", error: null });
    expect(asked.posts.map((post) => post.mode)).toEqual([site === "chatgpt" ? "Chat" : "Ask"]);
  });

  it.concurrent.each([
    ["a status", "Pro thinking", 1_500],
    ["an announcement", "I'll look at the repository first.", 1_500],
  ])("[S-4] %s with finished marks is not the answer", async (_, interim, thinkingMs) => {
    const asked = await on.stage.ask("chatgpt", { answers: [answer], interim, thinkingMs, stopHidden: true });
    expect(asked.result).toMatchObject({ status: "success", error: null });
    expect(asked.answer).toContain("Here is the change");
  });

  it.concurrent("[S-4] an announcement that never becomes an answer is no success where the site cannot be asked again", async () => {
    const scenario = {
      answers: ["Let me look."],
      interim: "Let me look.",
      thinkingMs: 60_000,
      stopHidden: true,
      noAddress: true,
    };
    const asked = await on.stage.ask("chatgpt", scenario);
    expect(asked.result).toMatchObject({ status: "partial" });
  });

  it.concurrent("a failed step names the site, the step, the selector and its snapshot", async () => {
    const { result } = await on.stage.ask("copilot", { composerGone: true });
    expect(result.error?.message).toMatch(
      /GitHub Copilot: step "composer".*#copilot-chat-textarea.*Saved: .*failure-composer\.html.*\.png/,
    );
    const [, html = ""] = /Saved: ([^,]+)/.exec(result.error?.message ?? "") ?? [];
    expect(on.stage.readFile(html)).toContain("GlobalNavUserMenu");
    expect(on.stage.readFile(html)).not.toMatch(/canary|<script/);
  });

  describe("files", () => {
    const zip = ["--browser-bundle-files", "a.txt", "--browser-bundle-format", "zip"];
    const rows: readonly (readonly [string, Site, Partial<Scenario>, string | null])[] = [
      ["slow, and shown with another name", "chatgpt", { uploadMs: 1_500, chip: "numbered" }, null],
      ["shown before it is there", "gemini", { uploadMs: 1_000, chip: "early" }, null],
      ["shown with a shortened name", "copilot", { chip: "ellipsis" }, null],
      ["without a name", "chatgpt", { chip: "nameless" }, "attachment_failed"],
      ["vanishes", "copilot", { chip: "vanishes" }, "attachment_failed"],
      ["refused by the site", "gemini", { upload: "toast" }, "attachment_failed"],
      ["never done", "chatgpt", { upload: "never" }, "attachment_failed"],
    ];
    for (const [title, site, scenario, code] of rows)
      it.concurrent(`a file: ${title} (${site})`, async () => {
        on.stage.write("a.txt", "text\n");
        const asked = await on.stage.ask(site, { answers: ["Got it."], ...scenario }, zip);
        const expected = code === null ? { status: "success", error: null } : { status: "error", error: { code } };
        expect(asked.result).toMatchObject(expected);
        expect(asked.posts.map(({ files }) => files.length)).toEqual(code === null ? [1] : []);
      });
  });

  describe("a lost login", () => {
    for (const { title, site, scenario, code } of out)
      it(`failed: ${title} (${site}): ${code}`, async () => {
        await on.stage.logIn(site);
        const asked = await on.stage.ask(site, scenario);
        expect(asked.result).toMatchObject({ status: "error", error: { code } });
        expect(asked.result.error?.remedy).toContain(`oracle browser login ${site}`);
        expect(asked.posts).toEqual([]);
      });
  });
});
