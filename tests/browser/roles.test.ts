// A planner in a real page: `thehood` asks it through the browser, and the runtime decides about its answer.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ackField, responseContracts } from "../../src/contract/index.ts";
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

describe.skipIf(chromium === undefined)("a role in a real page", () => {
  const on = stageFor();

  async function plan(role: string) {
    const { stage } = on;
    const args = [
      "run",
      "make a plan",
      "--mode",
      "plan",
      "--planner",
      role,
      "--approvals",
      "autopilot",
      "--json",
    ];
    const child = spawn(process.execPath, [program, ...args], {
      cwd: stage.repo,
      env: { ...stage.env, THEHOOD_HOME: join(stage.dir, "thehood") },
    });
    const ran = await stage.ended(child);
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
