import { describe, expect, it } from "vitest";
import { FailureError } from "../../../core/contract/index.ts";
import type { Options, OracleProjectConfig, OracleUserConfig } from "../../../core/contract/transport/index.ts";
import { requestSchema } from "../../../core/contract/transport/schema/index.ts";
import { resolveRequest, type EnvironmentVariables } from "./resolve.ts";

interface Sources {
  readonly flags?: Options;
  readonly env?: EnvironmentVariables;
  readonly user?: OracleUserConfig;
  readonly project?: OracleProjectConfig;
}

const resolve = ({ flags = {}, env = {}, user = {}, project = {} }: Sources) =>
  resolveRequest({ flags, env, user, project, cwd: "/project", prompt: "hello" });
const request = (sources: Sources) => requestSchema.parse(resolve(sources).request);
const withKey = { OPENAI_API_KEY: "k" };

describe("a request", () => {
  it("[T-1] chooses its engine by flag, page flags, environment, config, key, in that order", () => {
    expect(request({}).engine).toBe("browser");
    expect(request({ env: { OPENAI_API_KEY: "" } }).engine).toBe("browser");
    expect(request({ env: withKey }).engine).toBe("api");
    expect(request({ env: withKey, user: { engine: "browser" } }).engine).toBe("browser");
    expect(request({ env: { ...withKey, ORACLE_ENGINE: "browser" }, user: { engine: "api" } }).engine).toBe("browser");
    expect(request({ env: withKey, flags: { copilot: true } }).engine).toBe("browser");
    expect(request({ env: withKey, flags: { browserBundleFormat: "zip" } }).engine).toBe("browser");
    expect(request({ flags: { engine: "api" } }).engine).toBe("api");
  });

  it("takes names of models as people write them over an API, and labels as they are in a page", () => {
    const env = { ANTHROPIC_API_KEY: "k" };
    expect(request({ env, flags: { model: " Claude Opus 4.1 " } })).toMatchObject({
      engine: "api",
      model: "claude-opus-4-1",
      api: { provider: "anthropic" },
    });
    expect(request({ flags: { engine: "browser", model: "Claude Opus 4.1" } }).model).toBe("Claude Opus 4.1");
    const own = {
      models: { grok: { model: "mine", provider: "openai-chat", baseUrl: "http://127.0.0.1:1/v1" } },
    } as const;
    expect(request({ user: own, flags: { model: "grok" } }).model).toBe("mine");
  });

  it("sends vendor/model to OpenRouter where there is a key for it, and never because a project says so", () => {
    const env = { OPENROUTER_API_KEY: "k" };
    expect(request({ env, flags: { model: "z-ai/glm-5" } })).toMatchObject({
      engine: "api",
      api: { provider: "openrouter" },
    });
    expect(() => resolve({ env, project: { model: "z-ai/glm-5" } })).toThrow(/another provider/);
  });

  it("asks a model of Gemini in its page, unless the command names another or a project chose the model", () => {
    const site = (sources: Sources) => request(sources).browser?.site;
    const gemini = { engine: "browser", model: "Gemini 3 Pro" } as const;
    expect(site({ flags: gemini })).toBe("gemini");
    expect(site({ flags: gemini, user: { browserUrl: "chatgpt.com/g/g-p-1/project" } })).toBe("gemini");
    expect(site({ flags: { ...gemini, copilot: true } })).toBe("copilot");
    expect(site({ flags: { ...gemini, browserUrl: "chatgpt.com" } })).toBe("chatgpt");
    expect(site({ flags: { engine: "browser" }, project: { model: "gemini-pro" } })).toBe("chatgpt");
    expect(site({ flags: { engine: "browser", model: "gpt-5.5-pro" } })).toBe("chatgpt");
  });

  it("divides lists of files at commas", () => {
    expect(request({ flags: { file: ["src/**/*.{ts,js},!src/gen", "b.png"] } }).files).toMatchObject({
      patterns: ["src/**/*.{ts,js}", "!src/gen"],
      attachments: ["/project/b.png"],
    });
  });

  it("[T-11] knows when diff work is on", () => {
    const active = (flags: Options) => request({ flags }).diff.active;
    expect(active({})).toBe(false);
    expect(active({ restrictPathPrefix: "src", jsonOutput: "r.json", maxRetries: 3 })).toBe(false);
    for (const flags of [
      { emitDiffOnly: true },
      { diffOutput: "d" },
      { applyMode: "none" },
      { strictDiff: true },
      { retryIfNoDiff: true },
    ] satisfies Options[])
      expect(active(flags)).toBe(true);
    expect(resolve({ flags: { restrictPathPrefix: "src" } }).warnings).toEqual([expect.stringContaining("no effect")]);
  });

  it("[T-16] makes one clean folder of a prefix, or refuses it", () => {
    const prefix = (restrictPathPrefix: string) =>
      request({ flags: { strictDiff: true, restrictPathPrefix } }).diff.restrictPrefix;
    expect(prefix("src\\lib\\")).toBe("src/lib");
    expect(prefix("./src///")).toBe("src");
    for (const bad of ["", "/", ".", "..", "src/../x", "/src", "C:\\src", "a//b"])
      expect(() => prefix(bad), bad).toThrow(FailureError);
  });

  it("an environment variable that makes no sense is named", () => {
    expect(() => resolve({ env: { ORACLE_ENGINE: "telepathy" } })).toThrow(/ORACLE_ENGINE=telepathy/);
  });

  it("a base URL is https, or on this machine, and hides nothing", () => {
    const base = (baseUrl: string) => request({ flags: { engine: "api", baseUrl } }).api?.baseUrl;
    expect(base("https://api.example.com/v1/")).toBe("https://api.example.com/v1");
    expect(base("http://127.0.0.1:11434/v1")).toBe("http://127.0.0.1:11434/v1");
    for (const bad of [
      "http://api.example.com",
      "ftp://x",
      "api.example.com",
      "https://u:p@x.com",
      "https://x.com/?key=1",
    ])
      expect(() => base(bad), bad).toThrow(FailureError);
  });

  const api = (flags: Options) => request({ flags: { engine: "api", ...flags } }).api;

  it("background is for what speaks the Responses API, and the default for slow models", () => {
    expect(api({ model: "gpt-5.2-pro" })).toMatchObject({ provider: "openai", background: true });
    expect(api({ model: "gpt-5.2-pro", background: false })).toMatchObject({ background: false });
    const azure = { provider: "azure", baseUrl: "https://mine.openai.azure.com" } as const;
    expect(api({ model: "gpt-5.2-pro", ...azure })).toMatchObject({ provider: "azure", background: true });
    expect(api({ model: "gpt-5.5" })).toMatchObject({ background: false });
    expect(api({ model: "claude-opus-5" })).toMatchObject({ provider: "anthropic", background: false });
  });

  it("models of OpenAI search the web and think hard; at another server only as long as it takes that", () => {
    expect(api({ model: "gpt-5.5" })).toMatchObject({ search: true, reasoningEffort: "high" });
    expect(api({ model: "gpt-5.5-pro" })).toMatchObject({ search: true, reasoningEffort: null, background: true });
    expect(api({ model: "gpt-5.5", search: false, reasoningEffort: "low" })?.reasoningEffort).toBe("low");
    expect(api({ model: "gpt-5.5", search: false })).not.toHaveProperty("search");
    expect(api({ model: "gpt-4.1" })).not.toHaveProperty("search");
    expect(api({ model: "gpt-5.5" })).not.toHaveProperty("assumed");
    const baseUrl = "http://127.0.0.1:9/v1";
    const all = { search: true, reasoningEffort: "high", assumed: ["search", "reasoningEffort"] };
    expect(api({ model: "gpt-5.5", baseUrl })).toMatchObject(all);
    expect(api({ model: "gpt-5.5-pro", baseUrl })).toMatchObject({ assumed: ["search", "background"] });
    expect(api({ model: "gpt-5.5", baseUrl, search: true, reasoningEffort: "low" })).not.toHaveProperty("assumed");
    expect(api({ model: "qwen3-pro", baseUrl })).toMatchObject({ background: false, reasoningEffort: null });
    expect(api({ model: "qwen3-pro", baseUrl })).not.toHaveProperty("search");
    expect(() => api({ model: "claude-opus-5", search: true })).toThrow(/Responses/);
  });

  it("a background run needs the Responses API", () => {
    expect(() => api({ model: "claude-opus-5", background: true })).toThrow(/Responses/);
  });
});

it("a line that only leaves files out is refused; a config that does so is not", () => {
  expect(() => request({ flags: { file: ["!dist", "!*.md"] } })).toThrow(/only leaves out \(!dist !\*\.md\)/);
  expect(request({ flags: { file: ["src,!dist"] } }).files.patterns).toEqual(["src", "!dist"]);
  expect(request({ project: { file: ["!dist"] } }).files.patterns).toEqual(["!dist"]);
});

it("names that are empty are refused, and a wrong time of the environment by the name of its variable", () => {
  expect(() => request({ flags: { model: " " } })).toThrow("--model is empty");
  expect(() => request({ env: { ORACLE_TIMEOUT: "soon" } })).toThrow(/^ORACLE_TIMEOUT soon is not/);
  expect(() => request({ env: { ORACLE_TIMEOUT: "soon" }, flags: { timeout: "x" } })).toThrow(/^--timeout x is not/);
});
