import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ApiServer, Play, Step } from "../../../../tests/support/api-server.ts";
import {
  apiKey,
  bodyOf,
  callFor,
  endpoint,
  quickPace,
  repository,
  sendTo,
  serve,
  settingsFor,
  spoken,
  type Spoken,
} from "../../../../tests/support/endpoint.ts";
import type { ProviderCall } from "../../../core/contract/index.ts";
import { type StubStep, stubAnswer } from "../../stub/index.ts";
import { removeFolder } from "../../../../tests/support/remove-folder.ts";

const secret = ["ghp", "_"].join("") + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
let top = "";
const servers: ApiServer[] = [];
beforeEach(() => {
  top = repository({ "a.txt": "one\ntwo\n", "key.txt": `token = ${secret}\n`, ".env": `T=${secret}\n` });
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  removeFolder(top);
});

async function ask(speaker: Spoken, plays: Play[], call: ProviderCall, pace = quickPace()) {
  const server = await serve(plays);
  servers.push(server);
  const settings = settingsFor(speaker, `${server.origin}${speaker.path}`);
  const provider = endpoint(speaker.id, settings, { pace });
  const answer = await sendTo(provider, { ...call, model: speaker.model });
  return { answer, server, log: new TextDecoder().decode(answer.invocation?.stderr) };
}

const said = (call: ProviderCall, step: StubStep = {}): Play => ({ text: stubAnswer(call, step) });
const reads = (...paths: string[]): Play => ({
  calls: paths.map((path) => ({ name: "repo_read_file", input: { path } })),
});
const diffOf = (...lines: string[]) =>
  ["```diff", "diff --git a/a.txt b/a.txt", "--- a/a.txt", "+++ b/a.txt", ...lines, "```"].join("\n");
const goodDiff = diffOf("@@ -1,2 +1,2 @@", "-one", "+eins", " two");
const badDiff = diffOf("@@ -1,2 +1,2 @@", "-nine", "+eins", " two");
const changed = (markdown: string): StubStep => ({ payload: { status: "changed", markdown } });

describe.each(spoken)("a conversation with $id", (speaker) => {
  it("[R-72] reads through the runtime's tools, and gets each result in the server's own form", async () => {
    const call = callFor("qa", top);
    const { answer, server } = await ask(speaker, [reads("a.txt", ".env"), reads("key.txt"), said(call)], call);
    expect(answer.outcome, answer.error).toBe("answered");
    const [first, second, third] = server.asked.map(bodyOf);
    const names = JSON.stringify(first?.["tools"]);
    for (const name of ["repo_tree", "repo_read_file", "repo_search", "git_status", "git_diff"])
      expect(names).toContain(`"${name}"`);
    const results = JSON.stringify(second);
    expect(results).toContain(String.raw`\"path\":\"a.txt\"`);
    expect(results).toContain("one\\ntwo");
    expect(results).toContain("is not shown to programs");
    const wire = {
      "openai-api": "function_call_output",
      "anthropic-api": "tool_result",
      ollama: "tool_call_id",
    };
    expect(results).toContain(wire[speaker.id]);
    expect(JSON.stringify(third)).not.toContain(secret);
    const record = new TextDecoder().decode(answer.invocation?.stdout).trim().split("\n");
    expect(record.map((line) => (JSON.parse(line) as { ok: boolean }).ok)).toEqual([true, false, true]);
    expect(answer.invocation?.kind).toBe("api_conversation");
  });

  it("asks for the answer's form in the server's own way", async () => {
    const call = callFor("verifier", null);
    const { server } = await ask(speaker, [said(call)], call);
    const body = bodyOf(server.asked[0]);
    const place = {
      "openai-api": body["text"],
      "anthropic-api": body["output_config"],
      ollama: body["response_format"],
    }[speaker.id];
    expect(JSON.stringify(place)).toContain('"json_schema"');
    expect(JSON.stringify(place)).toContain("verificationResult");
    expect(body["tools"]).toBeUndefined();
    expect(JSON.stringify(body)).not.toContain(apiKey);
  });

  it("does without what the server refuses by name", async () => {
    const call = callFor("critic", top);
    const refusals = {
      "openai-api": ["Encrypted content is not supported with this model.", "Unsupported parameter: 'text.format'"],
      "anthropic-api": [
        "output_config: Extra inputs are not permitted",
        "tool_choice: forced tool use is not supported",
      ],
      ollama: ["registry.ollama.ai/library/small does not support tools", "response_format is unknown"],
    }[speaker.id];
    const plays: Play[] = refusals.map((message) => ({ status: 400, body: { error: { message } } }));
    const { answer, server } = await ask(speaker, [...plays, said(call)], call);
    expect(answer.outcome, answer.error).toBe("answered");
    const last = JSON.stringify(bodyOf(server.asked[2]));
    for (const gone of {
      "openai-api": ["encrypted_content", "json_schema"],
      "anthropic-api": ["output_config", "tool_choice"],
      ollama: ['"tools"', "json_schema"],
    }[speaker.id])
      expect(last).not.toContain(gone);
    expect(answer.invocation?.args.filter((word) => word.startsWith("without"))).toHaveLength(2);
  });

  it("stops reading when the allowance is spent, and then wants the answer", async () => {
    const call = callFor("researcher", top);
    const greedy: Play = { calls: Array.from({ length: 25 }, () => ({ name: "repo_tree", input: {} })) };
    const { answer, server } = await ask(speaker, [greedy, greedy, said(call)], call);
    expect(answer.outcome, answer.error).toBe("answered");
    const last = bodyOf(server.asked[2]);
    expect(JSON.stringify(last)).toContain("Nothing more can be read");
    const offered = speaker.id === "ollama" ? last["tools"] : last["tool_choice"];
    expect(JSON.stringify(offered) ?? "none").toContain("none");
    expect(offered === undefined).toBe(speaker.id === "ollama");
    expect(answer.invocation?.permissionMode).toContain("40 of 40 uses");
  });

  it("ends a model that only ever asks", async () => {
    const forever = Array.from({ length: 80 }, (): Play => ({ calls: [{ name: "git_status", input: {} }] }));
    const { answer, server } = await ask(speaker, forever, callFor("qa", top));
    expect(answer).toMatchObject({ outcome: "failed", error: expect.stringContaining("gave no answer") });
    expect(server.asked.length).toBeLessThan(50);
  });

  it("takes no beginning for an answer, and no refusal", async () => {
    const call = callFor("verifier", null);
    const limit = { "openai-api": "max_output_tokens", "anthropic-api": "max_tokens", ollama: "length" }[speaker.id];
    const cut = await ask(speaker, [{ text: stubAnswer(call, {}), incomplete: limit }], call);
    expect(cut.answer).toMatchObject({ outcome: "failed", text: "", error: expect.stringContaining(limit) });
    const filter = { "openai-api": "content_filter", "anthropic-api": "refusal", ollama: "content_filter" }[speaker.id];
    const filtered = await ask(speaker, [{ text: "{", incomplete: filter }], call);
    expect(filtered.answer).toMatchObject({ outcome: "failed", error: expect.stringContaining("refused") });
  });

  it("adds up what every turn cost, also of a call that fails", async () => {
    const call = callFor("qa", top);
    const good = await ask(speaker, [reads("a.txt"), said(call)], call);
    expect(good.answer.usage).toEqual({ inputTokens: 200, outputTokens: 40 });
    const bad = await ask(speaker, [reads("a.txt"), { refusal: "no" }], call);
    expect(bad.answer).toMatchObject({ outcome: "failed", usage: { inputTokens: 200, outputTokens: 40 } });
  });

  it("asks again after a stream that broke, as long as nothing of it was taken, and says so", async () => {
    const call = callFor("qa", null);
    const { answer, log } = await ask(speaker, [{ drop: "start" }, { text: "{", drop: "middle" }, said(call)], call);
    expect(answer.outcome, answer.error).toBe("answered");
    expect(log.match(/broke off|trying again/g)).toHaveLength(2);
  });

  it("keeps to Retry-After, but not beyond its own time", async () => {
    const call = callFor("qa", null);
    const pace = quickPace();
    const busy = (after: string): Play => ({ status: 429, headers: { "retry-after": after } });
    expect((await ask(speaker, [busy("7"), said(call)], call, pace)).answer.outcome).toBe("answered");
    expect(pace.pauses).toEqual([7000]);
    const late = ask(speaker, [busy("60"), said(call)], call, quickPace());
    await expect(late).rejects.toThrow(/429/);
    const limited = await late.catch((error: unknown) => error);
    expect(limited).toMatchObject({ failure: { details: { limitedUntil: expect.any(Number) } } });
  });

  it("carries the diff of a worker that fits, and none of a reader", async () => {
    const call = callFor("implementer", top);
    const { answer } = await ask(speaker, [said(call, changed(goodDiff))], call);
    expect(new TextDecoder().decode(answer.patch)).toContain("+eins");
    const reader = callFor("qa", top);
    const { answer: none } = await ask(speaker, [said(reader, { payload: { markdown: goodDiff } })], reader);
    expect(none).toMatchObject({ outcome: "answered" });
    expect(none.patch).toBeUndefined();
  });

  it("tells a worker what is wrong with its diff, a bounded number of times", async () => {
    const call = callFor("implementer", top);
    const mended = await ask(
      speaker,
      [said(call, changed("no diff")), said(call, changed(badDiff)), said(call, changed(goodDiff))],
      call,
    );
    expect(mended.answer.patch, mended.answer.error).toBeDefined();
    expect(JSON.stringify(bodyOf(mended.server.asked[2]))).toContain("context_mismatch");
    const never = await ask(
      speaker,
      Array.from({ length: 9 }, () => said(call, changed(badDiff))),
      call,
    );
    expect(never.answer).toMatchObject({
      outcome: "failed",
      error: expect.stringContaining("cannot be used"),
    });
    expect(never.server.asked).toHaveLength(3);
  });

  it("tells once what is wrong with the form of an answer, and then wants it held to the schema", async () => {
    const call = callFor("verifier", top);
    const odd = said(call, { payload: { verdict: "splendid" } });
    const { answer, server } = await ask(speaker, [odd, said(call)], call);
    expect(answer.outcome).toBe("answered");
    const last = JSON.stringify(bodyOf(server.asked[1]));
    expect(last).toContain("data.verificationResult.verdict");
    expect(last).toContain("json_schema");
    const never = await ask(speaker, [odd, odd, odd], call);
    expect(never.answer).toMatchObject({ outcome: "answered", text: expect.stringContaining("splendid") });
    expect(never.server.asked).toHaveLength(2);
  });

  it("asks once more for the form when prose came instead", async () => {
    const call = callFor("critic", null);
    const { answer, server } = await ask(speaker, [{ text: "It looks fine to me." }, said(call)], call);
    expect(answer.outcome).toBe("answered");
    expect(answer.text).toContain('"critiqueResult"');
    expect(server.asked).toHaveLength(2);
  });

  it("lets no echo of the key into an answer, an error or a record", async () => {
    const call = callFor("qa", null);
    const refused: Play = { status: 401, body: { error: { message: `bad key ${apiKey}` } } };
    const error: unknown = await ask(speaker, [refused], call).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain("REDACTED");
    expect(JSON.stringify(error) + String(error)).not.toContain(apiKey);
    const broken = await ask(
      speaker,
      [{ status: 500, body: { error: { message: `oh ${apiKey}` } } }, { text: `{"x":"${apiKey}"}` }],
      call,
    );
    const everything = JSON.stringify(broken.answer) + broken.log;
    expect(everything).not.toContain(apiKey);
  });
});

describe("Anthropic's answer as a tool", () => {
  it("is taken as the answer, and a mended one is asked for by its result", async () => {
    const [, speaker] = spoken;
    const call = callFor("implementer", top);
    const as = (step: StubStep): Play => ({
      calls: [{ name: "answer", input: JSON.parse(stubAnswer(call, step)) as unknown }],
    });
    const unknown: Play = { status: 400, body: { error: { message: "output_config.format: unknown" } } };
    const { answer, server } = await ask(speaker, [unknown, as(changed(badDiff)), as(changed(goodDiff))], call);
    expect(answer.patch, answer.error).toBeDefined();
    expect(bodyOf(server.asked[1])["tool_choice"]).toEqual({ type: "any" });
    expect(JSON.stringify(bodyOf(server.asked[2]))).toContain('"tool_use_id":"toolu_0"');
  });
});

describe("a server of the Responses API that tells its items only one by one", () => {
  it("is read all the same", async () => {
    const [speaker] = spoken;
    const call = callFor("qa", top);
    const [first, second] = [reads("a.txt"), said(call)] as Step[];
    const plays = [
      { ...first, itemsOnly: true },
      { ...second, itemsOnly: true },
    ];
    const { answer } = await ask(speaker, plays, call);
    expect(answer.outcome, answer.error).toBe("answered");
    expect(answer.text).toContain('"qaResult"');
  });
});
