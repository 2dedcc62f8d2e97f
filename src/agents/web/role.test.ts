import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { providerCall } from "../../../tests/support/provider-call.ts";
import { scriptedPage } from "../../../tests/support/scripted-page.ts";
import { type ProviderCall, FailureError } from "../../core/contract/index.ts";
import { type SceneMaker, providerConformance, titleOf } from "../../../tests/support/conformance/index.ts";
import { type StubStep, stubAnswer } from "../stub/index.ts";
import { pageMemory } from "./conversations.ts";
import { chatGptWeb, createWebRole } from "./role.ts";

const folder = tempFolder("thehood-page-");
let made = 0;

const memory = () => Promise.resolve(pageMemory(join(folder, `memory-${made}`)));
const noBrowser = {
  memory,
  engine: () => Promise.reject(new Error("there is no browser")),
  found: () => Promise.resolve({ installed: false, loggedIn: false }),
};

interface Page {
  readonly turns: readonly object[];
  readonly checkFails?: string;
  readonly deafClose?: boolean;
}

/** A page that plays this script, and its record of the prompts it received. */
function pageOf(page: Page) {
  made += 1;
  const record = join(folder, `record-${made}.jsonl`);
  const script = join(folder, `script-${made}.json`);
  writeFileSync(record, "");
  writeFileSync(script, JSON.stringify({ record, ...page }));
  const provider = createWebRole(chatGptWeb, {
    aliases: {},
    memory,
    engine: () => Promise.resolve(scriptedPage(script)),
    found: () => Promise.resolve({ installed: true, loggedIn: true }),
  });
  const received = () =>
    readFileSync(record, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { turn?: number; prompt?: string; closed?: boolean; model?: string });
  return { provider, received };
}

const scene =
  (page: (call: ProviderCall) => Page): SceneMaker =>
  (call) => {
    const { provider, received } = pageOf(page(call));
    return {
      provider,
      model: "chatgpt-pro",
      asked: () => received().filter(({ turn }) => turn !== undefined).length,
      leftRunning: () => Promise.resolve(received().some(({ closed }) => closed) ? [] : ["an open page"]),
    };
  };

const saying = (step: StubStep) => scene((call) => ({ turns: [{ answer: stubAnswer(call, step) }] }));
const diff = [
  "diff --git a/hello.txt b/hello.txt",
  "new file mode 100644",
  "--- /dev/null",
  "+++ b/hello.txt",
  "@@ -0,0 +1 @@",
  "+hello",
].join("\n");
const worker = scene((call) => {
  const markdown = `Done.\n\n\`\`\`diff\n${diff}\n\`\`\`\n`;
  const step = call.role === "implementer" ? { payload: { status: "changed", markdown } } : {};
  return { turns: [{ answer: stubAnswer(call, step) }] };
});
const noServer = { cannot: "a page's server is out of sight" };

describe("a page joins the provider conformance suite", () => {
  const cases = providerConformance({
    scenes: {
      answers: worker,
      edits: worker,
      refuses: scene(() => ({ turns: [{ answer: "I cannot help with that." }] })),
      garbage: scene(() => ({ turns: [{ answer: "{]" }] })),
      staleAck: saying({ ack: "stale" }),
      oversize: scene(() => ({ turns: [{ answer: "x".repeat(40_000) }] })),
      silent: scene(() => ({ turns: [{ hang: true }] })),
      stallsMidStream: scene((call) => ({ turns: [{ answer: stubAnswer(call, {}), deaf: true }] })),
      exitsAtOnce: scene(() => ({ turns: [{ crash: "the page is gone" }] })),
      exitsUnread: scene(() => ({ turns: [{ bug: "the driver fell over" }] })),
      crashesMidStream: scene((call) => ({
        turns: [{ answer: stubAnswer(call, {}).slice(0, 40), complete: false, incompleteReason: "cut" }],
      })),
      busyOnce: noServer,
      overloadedOnce: noServer,
      alwaysBusy: noServer,
      loginMissing: { cannot: "only the page can tell who is logged in" },
      absent: () => ({
        provider: createWebRole(chatGptWeb, { ...noBrowser, aliases: {} }),
        model: "chatgpt-pro",
      }),
    },
    typo: { wrote: "chatgpt-por", meant: "chatgpt-pro" },
    patienceMs: 300,
  });
  for (const one of cases) it.skipIf(one.skip !== undefined)(titleOf(one), () => one.run());
});

describe("what a page receives", () => {
  const call = (more: Partial<ProviderCall> = {}): ProviderCall =>
    providerCall("planner", {
      model: "chatgpt-pro",
      prompt: '{"goal":"the goal"}',
      timeoutMs: 2_000,
      maxAnswerBytes: 10_000,
      ...more,
    });

  it("[S-11] to ignore what it remembers and to repeat the mark of this directive; the directive comes whole", async () => {
    const { provider, received } = pageOf({ turns: [{ answer: "x" }] });
    await (
      await provider.send(call(), new AbortController().signal)
    ).answer;
    const prompt = received().find(({ turn }) => turn === 1)?.prompt ?? "";
    expect(prompt).toMatch(/^Ignore everything said before .* repeat its marker in thehoodDirectiveAck/);
    expect(prompt.endsWith('{"goal":"the goal"}')).toBe(true);
  });

  it("a page that is not ready takes nothing: the call may be made again", async () => {
    const { provider, received } = pageOf({ turns: [], checkFails: "Not logged in." });
    const sent = provider.send(call(), new AbortController().signal);
    await expect(sent).rejects.toBeInstanceOf(FailureError);
    expect(received()).toEqual([]);
  });

  it("a page that neither answers nor closes is left at the deadline", async () => {
    const { provider } = pageOf({ turns: [{ deaf: true }], deafClose: true });
    const pending = await provider.send(call({ timeoutMs: 200 }), new AbortController().signal);
    expect((await pending.answer).outcome).toBe("timed_out");
  });

  it("[S-12] a short name means its model, and leaves the machine like it", () => {
    const { resolve, traits } = createWebRole(chatGptWeb, { ...noBrowser, aliases: { mine: "chatgpt-pro" } });
    expect(resolve("mine")).toEqual(resolve("chatgpt-pro"));
    expect(resolve("default")).toEqual(resolve("chatgpt-pro"));
    expect(traits.boundary).toBe("external");
  });
});

describe("a browser that is looked at", () => {
  const examined = (installed: boolean, loggedIn: boolean) =>
    createWebRole(chatGptWeb, {
      ...noBrowser,
      aliases: {},
      found: () => Promise.resolve({ installed, loggedIn }),
    }).examine?.();

  it.each([
    [false, false, { installed: false, problem: /Chrome/, remedy: /Install/ }],
    [true, false, { installed: true, login: "unknown", problem: null, remedy: /oracle browser login chatgpt/ }],
    [true, true, { installed: true, login: "present", problem: null, remedy: null }],
  ] as const)("installed %s, logged in %s", async (installed, loggedIn, expected) => {
    const health = await examined(installed, loggedIn);
    for (const [name, value] of Object.entries(expected)) {
      const got = health?.[name as keyof typeof health];
      const isFit = value instanceof RegExp ? value.test(String(got)) : got === value;
      expect(isFit, `${name}: ${String(got)}`).toBe(true);
    }
  });
});
