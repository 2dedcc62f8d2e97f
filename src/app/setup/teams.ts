// Ready-made teams. A team only names who plays which role; it widens nothing.
import type { Role } from "../../contract/index.ts";

export interface TeamPreset {
  readonly name: string;
  readonly about: string;
  readonly roles: Readonly<Partial<Record<Role, string>>>;
}

const everyone = (
  agent: string,
  others: Partial<Record<Role, string>> = {},
): Partial<Record<Role, string>> => ({
  orchestrator: agent,
  planner: agent,
  implementer: agent,
  qa: agent,
  verifier: agent,
  critic: agent,
  ...others,
});

export const teamPresets: readonly TeamPreset[] = [
  {
    name: "stub",
    about: "The scripted stub in every role: for trying things out, no model is called",
    roles: {
      orchestrator: "stub:orchestrator",
      planner: "stub:planner",
      researcher: "stub:researcher",
      implementer: "stub:implementer",
      qa: "stub:qa",
      verifier: "stub:verifier",
      critic: "stub:critic",
    },
  },
  {
    name: "codex-default",
    about: "Codex builds, another Codex model reviews",
    roles: everyone("codex-cli:spark", {
      orchestrator: "codex-cli:default",
      implementer: "codex-cli:default",
    }),
  },
  {
    name: "claude-builder",
    about: "Claude Code builds, Codex reviews",
    roles: everyone("codex-cli:spark", {
      orchestrator: "codex-cli:default",
      implementer: "claude-code:sonnet",
    }),
  },
  {
    name: "claude-critic",
    about: "Codex builds and verifies, Claude Code criticises",
    roles: everyone("codex-cli:spark", {
      orchestrator: "codex-cli:default",
      implementer: "codex-cli:default",
      critic: "claude-code:default",
    }),
  },
  {
    name: "spark-plus-sonnet",
    about: "Codex spark builds, Claude Code verifies and criticises",
    roles: everyone("codex-cli:spark", {
      orchestrator: "codex-cli:default",
      verifier: "claude-code:sonnet",
      critic: "claude-code:sonnet",
    }),
  },
];
