import { describe, expect, it } from "vitest";
import { FailureError, type Failure } from "../../../core/contract/index.ts";
import { copilotUrl, defaultBrowserUrl, normalizeBrowserUrl, siteOf } from "./page-url.ts";

describe("the browser target", () => {
  it("[T-2] is ChatGPT by default", () => {
    expect(defaultBrowserUrl).toBe("https://chatgpt.com/");
    expect(siteOf(defaultBrowserUrl)).toBe("chatgpt");
  });

  it.each([
    ["https://chatgpt.com/", "https://chatgpt.com/"],
    ["chatgpt.com", "https://chatgpt.com/"],
    ["github.com/copilot", "https://github.com/copilot"],
    ["//github.com/copilot/", "https://github.com/copilot/"],
    ["///gemini.google.com/app", "https://gemini.google.com/app"],
    ["  chatgpt.com/g/abc?x=1  ", "https://chatgpt.com/g/abc?x=1"],
    ["HTTPS://ChatGPT.com", "https://chatgpt.com/"],
    ["http://127.0.0.1:8080/x", "http://127.0.0.1:8080/x"],
    ["http://localhost/", "http://localhost/"],
    ["http://[::1]:9/", "http://[::1]:9/"],
  ])("[T-3] makes %j the address %j", (given, wanted) => {
    expect(normalizeBrowserUrl(given)).toBe(wanted);
  });

  it.each([
    "",
    "   ",
    "http://chatgpt.com/",
    "http://127.0.0.1.evil.com/",
    "ftp://chatgpt.com/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "mailto:someone@example.com",
    "https://user:pass@chatgpt.com/",
    "chatgpt.com/a b",
    "chatgpt.com\\@evil.com",
    "https://",
    "///",
    "chat\u200bgpt.com",
    "chatgpt.com/\tx",
    "https://chatgpt.com:99999/",
  ])("[T-3] refuses %j as a usage error", (given) => {
    expect(() => normalizeBrowserUrl(given)).toThrow(FailureError);
  });

  it.each([
    ["https://chatgpt.com/c/1", "chatgpt"],
    ["https://chat.openai.com/", "chatgpt"],
    [copilotUrl, "copilot"],
    ["https://github.com/copilot", "copilot"],
    ["https://github.com/copilot/c/1?tab=chat", "copilot"],
    ["https://gemini.google.com/app", "gemini"],
  ])("[T-5] %s is driven as %s", (url, site) => {
    expect(siteOf(url)).toBe(site);
  });

  it.each([
    "https://example.com/",
    "https://chatgpt.com.evil.com/",
    "https://chatgpt.com:8443/",
    "https://github.com/",
    "https://github.com/copilot-evil/x",
    "https://github.com/copilot/../torvalds",
  ])("[T-5] %s is an unknown site, and the error names the known ones", (url) => {
    const remedy = expect.stringMatching(/chatgpt.*copilot.*gemini/) as string;
    const failure = expect.objectContaining({ remedy }) as Failure;
    expect(() => siteOf(normalizeBrowserUrl(url))).toThrow(expect.objectContaining({ failure }));
  });
});
