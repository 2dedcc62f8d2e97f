// A planner in a web page: the page sees the text that was typed into it and nothing else.
import { afterEach, describe, expect, it } from "vitest";
import { ackField, responseContracts } from "../../src/core/contract/index.ts";
import type { TransportEngine } from "../../src/core/contract/transport/index.ts";
import { chatGptWeb, createWebRole } from "../../src/agents/index.ts";
import { pageMemory } from "../../src/agents/web/conversations.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { cleanUp, start } from "./harness.ts";

afterEach(cleanUp);

/** Answers as a planner would, with the marker that `pick` finds in what was typed. */
function page(pick: (markers: readonly string[]) => string): { engine: TransportEngine; typed: string[] } {
  const typed: string[] = [];
  const answerTo = (prompt: string): string => {
    typed.push(prompt);
    const markers = [...prompt.matchAll(/"marker":\s*"([^"]+)"/g)].map(([, marker = ""]) => marker);
    const plan = { action: "complete", reason: "clear", markdown: "# Plan", [ackField]: pick(markers) };
    const data = { [responseContracts.planner_decision.key]: plan };
    const envelope = { status: "ok", summary: "the plan", data };
    return `Sure.\n\n\`\`\`json\n${JSON.stringify(envelope)}\n\`\`\`\n`;
  };
  const engine: TransportEngine = {
    kind: "browser",
    check: () => Promise.resolve(),
    open: () =>
      Promise.resolve({
        send: ({ prompt }) =>
          Promise.resolve({
            text: answerTo(prompt),
            html: null,
            complete: true,
            incompleteReason: null,
            usage: null,
            model: null,
            captureSource: "dom",
            snapshots: [],
          }),
        close: () => Promise.resolve(),
      }),
  };
  return { engine, typed };
}

async function planWith(engine: TransportEngine) {
  const web = createWebRole(chatGptWeb, {
    aliases: {},
    engine: () => Promise.resolve(engine),
    memory: () => Promise.resolve(pageMemory(tempFolder("thehood-places-"))),
    found: () => Promise.resolve({ installed: true, loggedIn: true }),
  });
  return await start({ mode: "plan", roles: { planner: "chatgpt-web:chatgpt-pro" }, providers: [web] });
}

describe("a page as planner", () => {
  it("[R-26] [R-65] gets nothing before its manifest is approved, and its plan is taken", async () => {
    const { engine, typed } = page((markers) => markers[0] ?? "");
    const run = await planWith(engine);
    await run.until("repo_context_external_transfer");
    expect(typed).toEqual([]);
    await run.answer("approve");
    await run.go();
    expect(run.state, run.story()).toBe("completed");
    expect(typed).toHaveLength(1);
  });

  it("[S-11] an answer left over from an earlier directive is refused, however well it is formed", async () => {
    const { engine } = page(() => "run_earlier/0123456789abcdef");
    const run = await planWith(engine);
    await run.until("repo_context_external_transfer");
    await run.answer("approve");
    await run.go();
    expect(run.state).not.toBe("completed");
    expect(run.events("agent_response")[0]?.outcome).toMatchObject({
      result: "refused",
      reason: "ack_foreign",
    });
  });
});
