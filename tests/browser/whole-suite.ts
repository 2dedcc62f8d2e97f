// A question, a diff, a bundle and a conversation in a real browser, from the command line to what the server got.
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { afterEach, expect, it } from "vitest";
import { fileText, picture } from "../sites/server.ts";
import { sites as siteNames } from "../../src/core/contract/transport/index.ts";
import type { StageInUse } from "./stage-for.ts";

const prose = "Yes.\n\n```js\nconst a  =  1;\t\n\tindented();\n```\n\nDone.";
const patchOf = (from: string, to: string) =>
  `diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n-${from}\n+${to}\n  two\t \n three\n`;
const said = (patch: string) => `Here it is.\n\n\`\`\`\`diff\n${patch}\`\`\`\`\n`;
const files = { "a.txt": "one\n two\t \nthree\n", "b/notes.md": "# notes\n" };

/** What every driver does on every set of pages. */
export function wholeTests(on: StageInUse): void {
  afterEach(() => on.stage.forgetRepository());

  it.each(siteNames)(
    "[T-2][T-5] %s: a question is asked once, and its whole answer comes home byte for byte",
    async (site) => {
      const { url, id } = on.stage.scene(site, { answers: [prose] });
      const prompt = `What is this?\n\n  Second line of ${site}`;
      const ran = await on.stage.run(["--prompt", prompt, "--browser-url", url]);
      expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: `${prose}\n` });
      expect(ran.stderr).not.toContain("taking the page's text");
      const [post, ...more] = on.sites.postsOf(id);
      expect(more).toEqual([]);
      expect(post?.prompt.split("\n").map((line) => line.trim())).toEqual(
        prompt.split("\n").map((line) => line.trim()),
      );
    },
  );

  it.each(siteNames)(
    "[T-4][T-17] %s: a diff is asked for again in the same conversation, applied and committed",
    async (site) => {
      on.stage.withRepository(files);
      const patch = patchOf("one", `ONE of ${site}`);
      const { result, posts } = await on.stage.ask(site, { answers: ["I would rather talk about it.", said(patch)] }, [
        "-f",
        "a.txt",
        "--apply-mode",
        "commit",
        "--strict-diff",
        "--retry-if-no-diff",
      ]);
      expect(result).toMatchObject({
        status: "success",
        diffApplied: true,
        retryCount: 1,
        captureSource: "copy_button",
      });
      expect(posts).toHaveLength(2);
      expect(new Set(posts.map(({ conversation }) => conversation)).size).toBe(1);
      expect(posts[0]?.prompt).toContain("two");
      expect(on.stage.git("show", "HEAD:a.txt")).toContain(`ONE of ${site}`);
    },
  );

  it.each(siteNames)(
    "%s: a bundle goes as a ZIP that is there, byte for byte, before anything is sent",
    async (site) => {
      on.stage.withRepository(files);
      const { result, posts } = await on.stage.ask(site, { answers: ["Read it."], uploadMs: 500, chip: "numbered" }, [
        "--browser-bundle-files",
        "a.txt",
        "b",
        "--browser-bundle-format",
        "zip",
        "--keep-bundle",
      ]);
      expect(result).toMatchObject({ status: "success", error: null });
      expect(posts).toHaveLength(1);
      expect(posts[0]?.files).toEqual([expect.objectContaining({ name: "oracle-context-package.zip" })]);
      expect(posts[0]?.files[0]?.sha256).toBe(on.stage.keptBundleHash(result.sessionId ?? ""));
    },
  );

  it.each(siteNames)("%s: a bundle too long for a composer goes as one attached file", async (site) => {
    on.stage.withRepository({ "long.txt": `${"words and words ".repeat(5)}\n`.repeat(1_000) });
    const { result, posts } = await on.stage.ask(site, { answers: ["Long."], chip: "ellipsis" }, ["-f", "long.txt"]);
    expect(result).toMatchObject({ status: "success", error: null });
    expect(posts[0]?.files).toEqual([expect.objectContaining({ name: "oracle-context.md" })]);
    expect(posts[0]?.files[0]?.bytes).toBeGreaterThan(60_000);
  });

  it.each(siteNames)(
    "%s: --followup continues the conversation of a session, also when it was long ago",
    async (site) => {
      const first = await on.stage.ask(site, { answers: ["First.", "Second."], composerMs: 300 });
      expect(first.answer).toBe("First.");
      const session = first.result.sessionId ?? "";
      const ran = await on.stage.run(["-p", "And then?", "--followup", session]);
      expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: "Second.\n" });
      const posts = on.sites.postsOf(first.id);
      expect(posts.map(({ prompt }) => prompt)).toEqual([`Please help with ${first.id}.`, "And then?"]);
      expect(new Set(posts.map(({ conversation }) => conversation)).size).toBe(1);
      expect((await on.stage.run(["-p", "x", "--followup", session, "--copilot"])).stderr).toContain(
        "another one was named",
      );
      expect((await on.stage.run(["-p", "x", "--followup", "no-such-one"])).stderr).toContain("There is no session");
    },
  );

  it.each(["chatgpt", "gemini"] as const)(
    "[T-35] %s: pictures that the page made are saved into the session, also when there is no text",
    async (site) => {
      const drawn = await on.stage.ask(site, { answers: [""], pictures: 2 });
      expect(drawn.result, drawn.ran.stderr).toMatchObject({ status: "success", error: null });
      const folder = on.stage.file(drawn.result.sessionId ?? "", "files");
      expect(drawn.result.files).toEqual([`${folder}/picture-1.png`, `${folder}/picture-2.png`]);
      expect(readFileSync(`${folder}/picture-1.png`).equals(picture)).toBe(true);
      expect(drawn.answer).toMatch(/^!\[.*\]\(files\/picture-1\.png\)\n\n!\[.*\]\(files\/picture-2\.png\)$/);
      const said = await on.stage.ask(site, { answers: [prose], pictures: 1 });
      expect(said.answer).toBe(prose);
      expect(said.result.files).toHaveLength(1);
    },
  );

  it("[T-35] chatgpt: files that the page offers are saved under plain names", async () => {
    const files = ["figures.csv", "../../etc/report .md", "figures.csv"];
    const { result, ran } = await on.stage.ask("chatgpt", { answers: [prose], files });
    expect(result, ran.stderr).toMatchObject({ status: "success", error: null });
    const folder = on.stage.file(result.sessionId ?? "", "files");
    expect(result.files.map((path) => dirname(path))).toEqual([folder, folder, folder]);
    expect(basename(result.files[0] ?? "")).toBe("figures.csv");
    expect(basename(result.files[2] ?? "")).toBe("figures-2.csv");
    expect(readFileSync(result.files[2] ?? "", "utf8")).toBe(fileText("figures.csv"));
    expect(readFileSync(result.files[1] ?? "", "utf8")).toBe(fileText("../../etc/report .md"));
  });

  it("[T-10] snapshots of the page are written while it works, without scripts and without the login", async () => {
    const { result } = await on.stage.ask("chatgpt", { answers: [prose], chunkMs: 150 }, ["--dom-snapshot", "100"]);
    expect(result).toMatchObject({ status: "success", error: null });
    expect(result.snapshots.length).toBeGreaterThan(1);
    expect(result.snapshots[0]).toMatch(/snapshot-001\.html$/);
    const text = on.stage.readFile(result.snapshots[0] ?? "");
    expect(text).toContain("conversation-turn");
    expect(text).not.toMatch(/<script|canary/);
  });
}
