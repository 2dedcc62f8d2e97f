import { afterEach, describe, expect, it } from "vitest";
import type { ApiServer } from "../../../../tests/support/api-server.ts";
import {
  apiKey,
  callFor,
  endpoint,
  repository,
  sendTo,
  serve,
  settingsFor,
  spoken,
} from "../../../../tests/support/endpoint.ts";
import { FailureError } from "../../../core/contract/index.ts";
import { createRegistry, offer } from "../../registry/index.ts";
import { createStub, stubAnswer } from "../../stub/index.ts";
import { createEndpoints } from "./endpoints.ts";
import { removeFolder } from "../../../../tests/support/remove-folder.ts";

const secret = ["ghp", "_"].join("") + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
const servers: ApiServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});
async function started(...plays: Parameters<typeof serve>[0]) {
  const server = await serve(plays);
  servers.push(server);
  return server;
}
async function failureOf(work: Promise<unknown>) {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FailureError);
  return (error as FailureError).failure;
}
const compatible = (baseUrl: string, models: Record<string, string> = { m: "m" }, apiKeyEnv?: string) => ({
  kind: "openai-compatible" as const,
  baseUrl,
  models,
  ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }),
});

describe("where an endpoint is", () => {
  it.each([
    ["http://127.0.0.1:11434/v1", "local"],
    ["http://127.1:11434/v1", "local"],
    ["http://0x7f000001/v1", "local"],
    ["http://localhost:8080/v1/", "local"],
    ["http://[::1]:8080/v1", "local"],
    ["https://api.openai.com/v1", "external"],
    ["http://192.168.1.5:11434/v1", "external"],
    ["http://0.0.0.0:11434/v1", "external"],
    ["http://localhost.example.com/v1", "external"],
    ["http://127.0.0.1.example.com/v1", "external"],
    ["http://[::ffff:127.0.0.1]/v1", "external"],
    ["http://my-machine:11434/v1", "external"],
  ] as const)("[R-65] %s is %s", (baseUrl, boundary) => {
    expect(endpoint("mine", { mine: compatible(baseUrl) }).traits).toMatchObject({
      boundary,
      edits: "patch",
    });
  });

  it("takes no key in an address, and says where a key belongs", () => {
    const settings = { mine: compatible(`https://user:${apiKey}@models.example/v1`) };
    expect(() => createEndpoints(settings, { variables: {} })).toThrow(/holds a login/);
    expect(() => createEndpoints(settings, { variables: {} })).not.toThrow(apiKey);
    expect(() => createEndpoints({ mine: { kind: "openai-compatible" } }, { variables: {} })).toThrow(/baseUrl/);
  });

  it("is asked directly on this machine, whatever proxy the environment names", async () => {
    const proxy = await started({ text: "{}" });
    const call = callFor("qa", null);
    const server = await started({ text: stubAnswer(call, {}) });
    for (const host of ["127.0.0.1", "localhost"]) {
      server.steps.push({ text: stubAnswer(call, {}) });
      const { port } = new URL(server.origin);
      const provider = endpoint(
        "mine",
        { mine: compatible(`http://${host}:${port}/v1`) },
        { variables: { http_proxy: proxy.origin, HTTP_PROXY: proxy.origin } },
      );
      expect((await sendTo(provider, { ...call, model: "m" })).outcome).toBe("answered");
    }
    expect(proxy.seen).toEqual([]);
  });

  it("[R-65] elsewhere is shown no file with a secret in it, not even redacted", async () => {
    const top = repository({ "a.txt": "one\n", "key.txt": `token = ${secret}\n` });
    const call = callFor("qa", top);
    const proxy = await started(
      {
        calls: [
          { name: "repo_read_file", input: { path: "key.txt" } },
          { name: "repo_read_file", input: { path: "a.txt" } },
        ],
      },
      { text: stubAnswer(call, {}) },
    );
    const variables = { HTTP_PROXY: proxy.origin, KEY: apiKey };
    const provider = endpoint(
      "mine",
      { mine: compatible("http://models.example/v1", { m: "m" }, "KEY") },
      { variables },
    );
    const answer = await sendTo(provider, { ...call, model: "m" });
    removeFolder(top);
    expect(answer.outcome, answer.error).toBe("answered");
    const sent = JSON.stringify(proxy.asked[1]?.body);
    expect(sent).toContain("looks like a secret");
    expect(sent).not.toContain("token =");
    expect(sent).toContain(String.raw`\"total_bytes\":4`);
    expect(proxy.asked[0]?.headers.authorization).toBe(`Bearer ${apiKey}`);
  });

  it("is not followed elsewhere by a redirect, with the key in hand", async () => {
    const elsewhere = await started({ text: "{}" });
    for (const speaker of spoken) {
      const server = await started({
        status: 307,
        headers: { location: `${elsewhere.origin}/v1/responses` },
      });
      const provider = endpoint(speaker.id, settingsFor(speaker, `${server.origin}${speaker.path}`));
      const call = callFor("qa", null, { model: speaker.model });
      const ended = await sendTo(provider, call).then(
        ({ outcome }) => outcome,
        () => "rejected",
      );
      expect(["failed", "rejected"]).toContain(ended);
    }
    expect(elsewhere.seen).toEqual([]);
  });
});

describe("the key of an endpoint", () => {
  it("is missed by the name of its variable, before anything is sent", async () => {
    const call = callFor("qa", null);
    for (const [id, name] of [
      ["openai-api", "OPENAI_API_KEY"],
      ["anthropic-api", "ANTHROPIC_API_KEY"],
    ] as const) {
      const provider = endpoint(id, {}, { variables: {} });
      const failure = await failureOf(provider.send(call, new AbortController().signal));
      expect(failure).toMatchObject({
        code: "provider_unavailable",
        remedy: expect.stringContaining(`Set ${name}`),
      });
      expect(await provider.examine?.()).toMatchObject({
        login: "missing",
        problem: expect.stringContaining(name),
      });
    }
  });

  it("that cannot be one is refused without being said", async () => {
    const odd = `${apiKey}\nx`;
    const provider = endpoint("openai-api", {}, { variables: { OPENAI_API_KEY: odd } });
    const failure = await failureOf(provider.send(callFor("qa", null), new AbortController().signal));
    expect(failure.message).toContain("OPENAI_API_KEY");
    expect(JSON.stringify(failure)).not.toContain(apiKey);
  });
});

describe("the models of an endpoint", () => {
  const identity = (id: string, settings: Parameters<typeof createEndpoints>[0], model: string) => {
    const resolved = endpoint(id, settings).resolve(model);
    return resolved.ok ? resolved.identity : resolved.problem;
  };

  it("[S-12] [R-2] are one agent under all their names, and as external as ever", () => {
    const settings = {
      "openai-api": { models: { fast: "gpt-5.5", harmless: "gpt-5.5" } },
      mine: compatible("https://api.openai.com/v1", { local: "gpt-5.5" }),
    };
    const names = ["fast", "harmless", "gpt-5.5"].map((model) => identity("openai-api", settings, model));
    expect(new Set([...names, identity("mine", settings, "local")]).size).toBe(1);
    expect(endpoint("mine", settings).traits.boundary).toBe("external");
    expect(identity("openai-api", settings, "default")).not.toBe(names[0]);
    const here = ["localhost", "127.0.0.1", "[::1]"].map((host) =>
      identity("mine", { mine: compatible(`http://${host}:9/v1`) }, "m"),
    );
    expect(new Set(here).size).toBe(1);
    expect(identity("openai-api", { "openai-api": { models: { default: "gpt-5.5" } } }, "default")).toBe(names[0]);
  });

  it("that are unknown are refused with the nearest name and the way to add one", () => {
    const resolved = endpoint("anthropic-api", {}).resolve("claude-opus-55");
    expect(resolved).toMatchObject({
      ok: false,
      remedy: expect.stringContaining("Did you mean claude-opus-5-5?"),
    });
    const added = "thehood config set providers.anthropic-api.models.claude-opus-55 claude-opus-55";
    expect(resolved).toMatchObject({ remedy: expect.stringContaining(added) });
    const dotted = endpoint("openai-api", {}).resolve("gpt-9.9");
    expect(dotted).toMatchObject({ remedy: expect.stringContaining(`models."gpt-9.9"' 'gpt-9.9'`) });
    expect(endpoint("mine", { mine: compatible("http://127.0.0.1:9/v1", {}) }).resolve("default")).toMatchObject({
      ok: false,
      remedy: expect.stringContaining("providers"),
    });
  });

  it("that the server does not know end the call before it begins", async () => {
    const server = await started({
      status: 404,
      body: { error: { message: "model not found", code: "model_not_found" } },
    });
    const provider = endpoint("mine", { mine: compatible(`${server.origin}/v1`, { m: "gone" }) });
    const failure = await failureOf(provider.send(callFor("qa", null, { model: "m" }), new AbortController().signal));
    expect(failure.remedy).toContain("gone");
    expect(server.asked).toHaveLength(1);
  });

  it("of a server on this machine are looked up, and what is configured and not served is reported", async () => {
    const server = await started();
    server.models = ["a", "b"];
    const health = (models: Record<string, string>) =>
      endpoint("mine", { mine: compatible(`${server.origin}/v1`, models) }).examine?.();
    expect(await health({ x: "a" })).toMatchObject({
      problem: null,
      login: "present",
      models: ["default", "x", "a"],
    });
    expect(await health({ x: "c", y: "b" })).toMatchObject({ problem: null, models: ["y", "b"] });
    expect(await health({ x: "c" })).toMatchObject({
      problem: expect.stringContaining("c"),
      remedy: expect.stringContaining("a, b"),
    });
    server.models = ["llama3:latest"];
    expect(await health({ x: "llama3" })).toMatchObject({ problem: null });
    server.models = ["gpt-5.5", "other"];
    const own = endpoint("openai-api", { "openai-api": { baseUrl: `${server.origin}/v1` } });
    expect(await own.examine?.()).toMatchObject({ problem: null, models: ["gpt-5.5"] });
    server.models = ["a", "b"];
    expect(await health({})).toMatchObject({ remedy: expect.stringContaining("a, b") });
    expect(server.asked).toEqual([]);
    const gone = endpoint("mine", { mine: compatible("http://127.0.0.1:1/v1") });
    expect(await gone.examine?.()).toMatchObject({
      problem: expect.stringContaining("127.0.0.1:1"),
      remedy: expect.stringContaining("Start the model server"),
    });
    const remote = endpoint("mine", { mine: compatible("http://models.invalid/v1") });
    expect(await remote.examine?.()).toMatchObject({ problem: null, where: "http://models.invalid/v1" });
  });
});

describe("the registry", () => {
  it("refuses two providers of one name", () => {
    const ports = createEndpoints({ stub: compatible("http://127.0.0.1:9/v1") }, { variables: {} });
    expect(() => createRegistry([createStub(), ...ports].map(offer))).toThrow(/two providers called "stub"/);
  });
});
