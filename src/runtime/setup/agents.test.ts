import { describe, expect, it } from "vitest";
import { FailureError } from "../../core/contract/index.ts";
import { probeAgents } from "./agents.ts";
import { absent, fakePort, loggedOut, registryOf } from "../../../tests/support/found-agents.ts";
import { refuseUnusableAmong, teamAt, teamsHere } from "./registry.ts";

describe("looking at agents", () => {
  it("asks all at once, and one that is silent delays no other and is aborted", async () => {
    let stopped = false;
    const silent = fakePort("codex-cli", {
      examine: (signal) =>
        new Promise((_, reject) => {
          signal?.addEventListener("abort", () => {
            stopped = true;
            reject(new FailureError({ code: "interrupted", message: "stopped" }));
          });
        }),
    });
    const [first, second] = await probeAgents([silent, fakePort("claude-code")], 20);
    expect(first).toMatchObject({
      usable: "unknown",
      health: { problem: expect.stringContaining("in time") },
    });
    expect(second).toMatchObject({ usable: "yes" });
    expect(stopped).toBe(true);
  });

  it("a failure of one is what is wrong with it; a bug is not hidden", async () => {
    const failing = fakePort("codex-cli", {
      examine: () => Promise.reject(new FailureError({ code: "store_io", message: "no disk", remedy: "a disk" })),
    });
    expect((await probeAgents([failing]))[0]).toMatchObject({
      usable: "no",
      health: { problem: "no disk", remedy: "a disk" },
    });
    const broken = fakePort("codex-cli", { examine: () => Promise.reject(new TypeError("bug")) });
    await expect(probeAgents([broken])).rejects.toThrow("bug");
  });

  it("refuses an agent that certainly cannot answer, and not one that might", async () => {
    const registry = registryOf(
      absent("codex-cli"),
      loggedOut("claude-code"),
      fakePort("gemini-cli", { health: { login: "unknown" } }),
    );
    await expect(refuseUnusableAmong(registry, ["codex-cli:default"])).rejects.toMatchObject({
      failure: { code: "provider_unavailable", remedy: expect.stringContaining("install codex-cli") },
    });
    await expect(refuseUnusableAmong(registry, ["claude-code:default", "stub:default"])).rejects.toMatchObject({
      failure: { remedy: expect.stringContaining("claude-code login") },
    });
    await refuseUnusableAmong(registry, ["gemini-cli:default", "stub:default"]);
  });
});

describe("ready-made teams", () => {
  it("name two models that differ, whatever the program calls them", async () => {
    const registry = registryOf(fakePort("codex-cli", { models: ["nova", "mini"] }), absent("claude-code"));
    const teams = await teamsHere(registry, await probeAgents(await registry.list()));
    const codex = teams.find(({ name }) => name === "codex-default");
    expect(codex).toMatchObject({
      available: true,
      missing: [],
      roles: { implementer: "codex-cli:nova", verifier: "codex-cli:mini" },
    });
    expect(teams.find(({ name }) => name === "stub")?.available).toBe(true);
    expect(teams.find(({ name }) => name === "claude-critic")).toMatchObject({
      available: false,
      missing: [{ agent: "claude-code:default", remedy: "install claude-code" }],
    });
  });

  it("one without a needed agent is refused with what it lacks", async () => {
    const registry = registryOf(loggedOut("codex-cli"), fakePort("claude-code", { models: ["sonnet"] }));
    await expect(teamAt(registry, "claude-builder")).rejects.toMatchObject({
      failure: { code: "provider_unavailable", remedy: expect.stringContaining("codex-cli login") },
    });
    await expect(teamAt(registry, "claude-bulder")).rejects.toMatchObject({
      failure: { code: "invalid_input", remedy: expect.stringContaining("Did you mean claude-builder?") },
    });
  });
});
