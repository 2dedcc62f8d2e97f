import { describe, expect, it } from "vitest";
import { FailureError, type Failure, type ProviderPort, type RunMode } from "../contract/index.ts";
import { createStub } from "../../agents/index.ts";
import { probeAgents } from "../../runtime/setup/agents.ts";
import { absent, fakePort, loggedOut, registryOf } from "../../../tests/support/found-agents.ts";
import { resolveCrew } from "../../runtime/setup/registry.ts";
import { findCrew } from "./found.ts";

const codex = fakePort("codex-cli");
const claude = fakePort("claude-code", { models: ["opus", "sonnet"] });
const gemini = fakePort("gemini-cli");
const api = fakePort("anthropic-api", { traits: { edits: "none" } });
const single = (id: string) => fakePort(id, { models: [] });

async function found(ports: readonly ProviderPort[], mode: RunMode = "implement") {
  const agents = await probeAgents([createStub(), ...ports]);
  const crew = findCrew(agents, mode);
  return Object.fromEntries(Object.entries(crew).map(([role, { assignment }]) => [role, assignment]));
}

async function refusal(ports: readonly ProviderPort[], mode: RunMode = "implement") {
  const agents = await probeAgents([createStub(), ...ports]);
  try {
    findCrew(agents, mode);
  } catch (error) {
    if (error instanceof FailureError) return error.failure;
    throw error;
  }
  throw new Error("a crew was found");
}

describe("a crew of what is found", () => {
  it.each([
    {
      name: "two vendors",
      ports: [claude, codex],
      worker: "codex-cli:default",
      verifier: "claude-code:default",
    },
    {
      name: "one vendor with two models",
      ports: [codex],
      worker: "codex-cli:big",
      verifier: "codex-cli:small",
    },
    {
      name: "one vendor whose default is known",
      ports: [fakePort("codex-cli", { defaultModel: "small" })],
      worker: "codex-cli:default",
      verifier: "codex-cli:big",
    },
    {
      name: "one vendor, and a short name of the same model does not count as a second one",
      ports: [
        fakePort("claude-code", {
          defaultModel: "claude-opus-5",
          models: ["opus", "claude-opus-5", "sonnet"],
        }),
      ],
      worker: "claude-code:default",
      verifier: "claude-code:sonnet",
    },
    {
      name: "one that is logged in, and one that is not",
      ports: [loggedOut("codex-cli"), claude],
      worker: "claude-code:opus",
      verifier: "claude-code:sonnet",
    },
    {
      name: "one whose login is unknown is left out",
      ports: [fakePort("codex-cli", { health: { login: "unknown" } }), claude, gemini],
      worker: "claude-code:default",
      verifier: "gemini-cli:default",
    },
    {
      name: "a bare key is used only when no program can verify",
      ports: [single("codex-cli"), api],
      worker: "codex-cli:default",
      verifier: "anthropic-api:default",
    },
    {
      name: "a bare key is not used when a program can verify",
      ports: [codex, api],
      worker: "codex-cli:big",
      verifier: "codex-cli:small",
    },
    {
      name: "a server on this machine works alone",
      ports: [fakePort("ollama", { traits: { edits: "patch", boundary: "local" } })],
      worker: "ollama:big",
      verifier: "ollama:small",
    },
    {
      name: "a program works, and a server on this machine verifies",
      ports: [fakePort("ollama", { traits: { edits: "patch", boundary: "local" } }), single("codex-cli")],
      worker: "codex-cli:default",
      verifier: "ollama:default",
    },
    {
      name: "an agent that is not listed works too",
      ports: [fakePort("my-agent"), claude],
      worker: "claude-code:default",
      verifier: "my-agent:default",
    },
  ])("[R-2] $name", async ({ ports, worker, verifier }) => {
    expect(await found(ports)).toMatchObject({ implementer: worker, verifier });
  });

  it("[R-2] is never one agent in both seats, whatever is there", async () => {
    const all = [codex, claude, gemini, api, single("opencode"), loggedOut("x-agent"), absent("y-agent")];
    const refused: Failure[] = [];
    for (let set = 1; set < 2 ** all.length; set += 1) {
      const ports = all.filter((_, index) => (set >> index) % 2 === 1);
      const agents = await probeAgents(ports);
      try {
        const crew = await resolveCrew(registryOf(...ports), findCrew(agents, "implement"), {
          configs: { user: { version: 1 }, repo: { version: 1 } },
          by: { kind: "host", surface: "mcp" },
        });
        expect(crew.implementer?.identity).not.toBe(crew.verifier?.identity);
        expect(Object.values(crew).map(({ source }) => source)).not.toContain("user");
        expect(JSON.stringify(crew)).not.toContain('"stub');
      } catch (error) {
        if (!(error instanceof FailureError)) throw error;
        refused.push(error.failure);
      }
    }
    expect(refused.filter(({ code, remedy }) => code !== "provider_unavailable" || !remedy)).toEqual([]);
    expect(refused.length).toBeLessThan(2 ** all.length - 1);
  });

  it("a third vendor criticises", async () => {
    expect(await found([codex, claude, gemini])).toMatchObject({ critic: "gemini-cli:default" });
  });

  it("[R-12] one agent alone may read", async () => {
    const crew = await found([single("codex-cli")], "plan");
    expect(crew).toMatchObject({ planner: "codex-cli:default" });
    expect(crew).not.toHaveProperty("implementer");
    expect(crew).not.toHaveProperty("verifier");
  });

  it("says of each seat why", async () => {
    const crew = findCrew(await probeAgents([codex, claude]), "implement");
    expect(crew.implementer?.why).toContain("1.2.3");
    expect(crew.verifier?.why).toContain("another vendor than OpenAI");
  });
});

describe("when no crew can be made", () => {
  it("[R-2] one agent with one model is refused with a way to get a second", async () => {
    expect(await refusal([single("codex-cli"), loggedOut("claude-code")])).toMatchObject({
      code: "provider_unavailable",
      message: expect.stringContaining("an agent does not verify its own work"),
      remedy: expect.stringMatching(/--verifier codex-cli:.*claude-code login/),
    });
  });

  it("one whose login is unknown is not taken, and the message says how to take it", async () => {
    expect(await refusal([fakePort("my-agent", { health: { login: "unknown" } })])).toMatchObject({
      message: expect.stringContaining("my-agent (not known whether it is logged in)"),
      remedy: expect.stringContaining("--implementer my-agent:default"),
    });
  });

  it("names each reason once, and what is installed first", async () => {
    const ports = [absent("codex-cli"), absent("gemini-cli"), absent("opencode"), loggedOut("claude-code")];
    expect(await refusal(ports)).toMatchObject({
      message:
        "No agent on this machine can work: claude-code (not logged in); codex-cli, gemini-cli, opencode (not installed).",
    });
  });

  it("a bare key alone makes no crew", async () => {
    expect(await refusal([absent("codex-cli"), api])).toMatchObject({
      code: "provider_unavailable",
      message: expect.stringContaining("anthropic-api (has a key, and is used only when you name it)"),
    });
  });

  it("[R-26] no agent is replaced by the stub: what was looked for, how to get one, and how to try without", async () => {
    expect(await refusal([absent("codex-cli"), loggedOut("claude-code")])).toMatchObject({
      code: "provider_unavailable",
      message: expect.stringMatching(/claude-code \(not logged in\); codex-cli \(not installed\)/),
      remedy: expect.stringMatching(/claude-code login.*install codex-cli.*--team stub/),
    });
  });
});
