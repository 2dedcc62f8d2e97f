import { describe, expect, it } from "vitest";
import type { ProviderPort, Role, RunMode } from "../contract/index.ts";
import { probeAgents } from "../../runtime/setup/agents.ts";
import { absent, fakePort, loggedOut, registryOf } from "../../../tests/support/found-agents.ts";
import { resolveAll } from "../../runtime/setup/registry.ts";
import { fillCrew } from "./fill.ts";

const codex = fakePort("codex-cli");
const claude = fakePort("claude-code", { models: ["opus", "sonnet"] });

async function filled(
  named: Partial<Record<Role, string>>,
  ports: readonly ProviderPort[],
  mode: RunMode = "implement",
) {
  const registry = registryOf(...ports);
  const wanted = Object.fromEntries(
    Object.entries(named).map(([role, assignment]) => [role, { assignment, source: "run" as const }]),
  );
  const resolutions = await resolveAll(registry, Object.values(named));
  const crew = fillCrew(wanted, mode, resolutions, await probeAgents(await registry.list()));
  return Object.fromEntries(
    Object.entries(crew).map(([role, { assignment, source }]) => [role, `${source} ${assignment}`]),
  );
}

describe("a crew with a missing agent", () => {
  it.each([
    {
      name: "a verifier of another vendor",
      named: { implementer: "claude-code:opus" },
      ports: [codex, claude],
      crew: {
        implementer: "run claude-code:opus",
        verifier: "found codex-cli:default",
        orchestrator: "found claude-code:opus",
      },
    },
    {
      name: "a worker of another vendor than the verifier",
      named: { verifier: "codex-cli:big" },
      ports: [codex, claude],
      crew: {
        verifier: "run codex-cli:big",
        implementer: "found claude-code:default",
        orchestrator: "found claude-code:default",
      },
    },
    {
      name: "another model where there is one vendor",
      named: { implementer: "codex-cli:big", orchestrator: "codex-cli:big" },
      ports: [codex, absent("claude-code")],
      crew: {
        implementer: "run codex-cli:big",
        orchestrator: "run codex-cli:big",
        verifier: "found codex-cli:small",
      },
    },
    {
      name: "both, where only others were named",
      named: { critic: "claude-code:opus" },
      ports: [codex, claude],
      crew: {
        critic: "run claude-code:opus",
        implementer: "found codex-cli:default",
        verifier: "found claude-code:default",
        orchestrator: "found codex-cli:default",
      },
    },
    {
      name: "no agent where no second one is certain: the run asks",
      named: { implementer: "codex-cli:default", orchestrator: "codex-cli:default" },
      ports: [codex, loggedOut("claude-code")],
      crew: { implementer: "run codex-cli:default", orchestrator: "run codex-cli:default" },
    },
    {
      name: "no agent beside the stub",
      named: { implementer: "stub:a" },
      ports: [codex, claude],
      crew: { implementer: "run stub:a" },
    },
    {
      name: "no agent where all required roles are filled",
      named: { implementer: "codex-cli:big", verifier: "claude-code:opus", orchestrator: "codex-cli:big" },
      ports: [codex, claude],
      crew: {
        implementer: "run codex-cli:big",
        verifier: "run claude-code:opus",
        orchestrator: "run codex-cli:big",
      },
    },
  ])("[R-2] [R-5] gets $name", async ({ named, ports, crew }) => {
    expect(await filled(named, ports)).toEqual(crew);
  });

  it("[R-12] a mode that only reads needs its guest or the orchestrator, and no other role", async () => {
    expect(await filled({ planner: "codex-cli:big" }, [codex, claude], "plan")).toEqual({
      planner: "run codex-cli:big",
    });
    expect(await filled({ critic: "codex-cli:big" }, [codex, claude], "plan")).toEqual({
      critic: "run codex-cli:big",
      orchestrator: "found codex-cli:default",
    });
  });
});
