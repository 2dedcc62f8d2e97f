// A planner in a real page: `thehood` asks it through the browser, and the runtime decides about its answer.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ackField, responseContracts } from "../../src/core/contract/index.ts";
import { waitFor } from "../oracle/wait.ts";
import { stageFor } from "./stage-for.ts";
import { chromium } from "./stage.ts";

const program = join(import.meta.dirname, "../../bin/thehood.js");

/** Answers as a planner would, with the marker that `pick` finds in what was typed. */
const planner = (pick: (markers: readonly string[]) => string) => (prompt: string) => {
  const markers = [...prompt.matchAll(/"marker":\s*"([^"]+)"/g)].map(([, marker = ""]) => marker);
  const plan = { action: "complete", reason: "clear", markdown: "# Plan", [ackField]: pick(markers) };
  const data = { [responseContracts.planner_decision.key]: plan };
  return `Sure.\n\n\`\`\`json\n${JSON.stringify({ status: "ok", summary: "the plan", data }, null, 2)}\n\`\`\`\n`;
};

/** A call whose message the page has shown, and that is not an earlier one. */
const sentIn = (folder: string, posted: boolean) =>
  posted &&
  readdirSync(folder).some(
    (name) => name.startsWith("call-") && readFileSync(join(folder, name), "utf8").includes('"sent"'),
  );

describe.skipIf(chromium === undefined)("a role in a real page", () => {
  const on = stageFor();

  const hood = (...args: string[]) =>
    spawn(process.execPath, [program, ...args], {
      cwd: on.stage.repo,
      env: { ...on.stage.env, THEHOOD_HOME: join(on.stage.dir, "thehood") },
    });
  const begin = (role: string) =>
    hood("run", "make a plan", "--mode", "plan", "--planner", role, "--approvals", "autopilot", "--json");

  async function plan(role: string) {
    const ran = await on.stage.ended(begin(role));
    return { ran, view: JSON.parse(ran.stdout) as { state?: string; run?: { state: string } } };
  }

  it.each([["chatgpt-web:chatgpt-pro"], ["copilot-web:current"], ["gemini-web:gemini-pro"]])(
    "[R-26] %s plans: its whole answer is taken when it repeats the marker of this directive",
    async (role) => {
      on.stage.withRepository({ "a.txt": "one\n" });
      on.sites.reply(
        "",
        planner((markers) => markers[0] ?? ""),
      );
      const before = on.sites.brain.posts.length;
      const { ran } = await plan(role);
      expect(ran.stdout, ran.stderr).toContain("completed");
      const [post, ...more] = on.sites.brain.posts.slice(before);
      expect(more).toEqual([]);
      expect(post?.prompt).toMatch(/^Ignore everything said before/);
      on.stage.forgetRepository();
    },
  );

  it("a run asks again in the conversation that it has, and another run in one of its own", async () => {
    on.stage.withRepository({ "a.txt": "one\n" });
    let asked = 0;
    const good = planner((markers) => markers.at(-1) ?? "");
    on.sites.reply("", (prompt) => (++asked === 1 ? "I would rather not say." : good(prompt)));
    const before = on.sites.brain.posts.length;
    const { ran } = await plan("chatgpt-web:chatgpt-pro");
    expect(ran.stdout, ran.stderr).toContain("completed");
    await plan("chatgpt-web:chatgpt-pro");
    const [first, second, other, ...more] = on.sites.brain.posts.slice(before);
    expect(more).toEqual([]);
    expect(second?.conversation).toBe(first?.conversation);
    expect(other?.conversation).not.toBe(first?.conversation);
    on.stage.forgetRepository();
  });

  it("[R-23] a run whose process was killed finds its conversation again and never sends twice", async () => {
    on.stage.withRepository({ "a.txt": "one\n" });
    on.sites.set("", { chunks: 8, chunkMs: 600 });
    on.sites.reply(
      "",
      planner((markers) => markers[0] ?? ""),
    );
    const before = on.sites.brain.posts.length;
    const child = begin("chatgpt-web:chatgpt-pro");
    const ended = on.stage.ended(child);
    const places = join(on.stage.folder, "calls");
    await waitFor(() => existsSync(places) && sentIn(places, on.sites.brain.posts.length > before), "the sent message");
    child.kill("SIGKILL");
    await ended;
    const ran = await on.stage.ended(hood("continue", "--json"));
    expect(ran.stdout, ran.stderr).toContain("completed");
    expect(on.sites.brain.posts.slice(before)).toHaveLength(1);
    on.sites.set("", {});
    on.stage.forgetRepository();
  });

  it("thehood has the browser's own commands too", async () => {
    on.stage.withRepository({ "a.txt": "one\n" });
    const ran = await on.stage.ended(hood("browser", "status", "--json"));
    expect(JSON.parse(ran.stdout)).toMatchObject({ loggedIn: ["chatgpt", "copilot", "gemini"] });
    on.stage.forgetRepository();
  });

  it("[R-21][S-11] an answer to an earlier directive is refused, however well it is formed", async () => {
    on.stage.withRepository({ "a.txt": "one\n" });
    on.sites.reply(
      "",
      planner(() => "run_earlier/0123456789abcdef"),
    );
    const { ran } = await plan("chatgpt-web:chatgpt-pro");
    expect(ran.code).not.toBe(0);
    expect(ran.stdout + ran.stderr).not.toContain('"state": "completed"');
    on.stage.forgetRepository();
  });
});
