// Tools of ChatGPT's page, on the pages of public evidence: chosen, read back, sent with the message, and the report of a frame.
import { describe, expect, it } from "vitest";
import type { PublicScenario } from "../sites-public/scenario.ts";
import { stageFor } from "./stage-for.ts";
import { chromium } from "./stage.ts";

const report =
  "The disk is slow.\n\nFirst, the timeout of half a second is too short for it.\n\nSecond, two seconds are plenty.";

describe.skipIf(chromium === undefined)("tools of a page", () => {
  const on = stageFor("public");
  const ask = (scenario: Partial<PublicScenario>, ...args: string[]) => on.stage.ask("chatgpt", scenario, args);

  it("[T-36] Deep Research is chosen before the message is sent, and its report comes from the frame that holds it", async () => {
    const { result, answer, posts, ran } = await ask(
      { answers: [report], report: true, chunks: 3, chunkMs: 900, done: "early" },
      "--research",
    );
    expect(result, ran.stderr).toMatchObject({ status: "success", error: null });
    expect(posts.map(({ tool }) => tool)).toEqual(["Deep research"]);
    expect(answer).toBe(report);
  });

  it("[T-36] a question back is the answer, as every other text of the turn", async () => {
    const { result, answer } = await ask({ answers: ["Which of the two disks do you mean?"] }, "--research");
    expect(result).toMatchObject({ status: "success", error: null });
    expect(answer).toBe("Which of the two disks do you mean?");
  });

  it("[T-36] web search is an element in the text: the text stays what it was", async () => {
    const { result, posts } = await ask({ answers: ["Found it."] }, "--search", "--browser");
    expect(result).toMatchObject({ status: "success", error: null });
    expect(posts).toHaveLength(1);
    expect(posts[0]).toMatchObject({
      tool: "Web search",
      prompt: expect.stringMatching(/^Please help with case-\d+\.$/),
    });
  });

  it.each(["words", "hashes"] as const)(
    "an effort beside a model that is known by %s is chosen and read back",
    async (modeIds) => {
      const scene = { answers: ["Thought about it."], modeIds, menuCloses: true } as const;
      const args = ["-m", "gemini-pro", "--reasoning-effort", "high"];
      const { result, posts } = await on.stage.ask("gemini", scene as Partial<PublicScenario>, args);
      expect(result).toMatchObject({ status: "success", error: null });
      expect(posts).toEqual([expect.objectContaining({ model: "3.1 Pro", effort: "Extended" })]);
    },
  );

  it("code that the page folds again and again is whole, or the answer is not", async () => {
    const code = `Look:\n\n\`\`\`js\n${"line();\n".repeat(40)}\`\`\`\n\nThat is all.`;
    const scene = { answers: [code], collapsed: true, rerenderMs: 200, copy: "part" } as const;
    const { result, answer } = await on.stage.ask("copilot", scene as Partial<PublicScenario>, []);
    expect(result).toMatchObject({ status: "success", captureSource: "dom" });
    expect(answer).toContain("line();\n".repeat(40));
  });

  it("[T-36] a tool that the page does not offer ends the run before anything is sent", async () => {
    const { result, posts } = await ask({ tools: ["Create image"] }, "--research");
    expect(result).toMatchObject({ status: "error", error: { code: "model_unavailable" } });
    expect(result.error?.message).toContain("Create image");
    expect(posts).toEqual([]);
    const failed = await ask({ toolsFail: true }, "--research");
    expect(failed.result.error).toMatchObject({ code: "model_unavailable" });
    expect(failed.posts).toEqual([]);
    const other = await on.stage.ask("gemini", {}, ["--research"]);
    expect(other.result.error?.code).toBe("model_unavailable");
    expect(other.posts).toEqual([]);
  });
});
