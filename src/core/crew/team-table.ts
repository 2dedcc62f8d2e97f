// Ready-made teams. A team only names the agents of its roles; it widens nothing.
import type { Role } from "../contract/index.ts";

/** `provider:model`; the model `another` is a different one than that provider's own choice. */
export interface TeamPreset {
  readonly name: string;
  readonly about: string;
  readonly roles: Readonly<Partial<Record<Role, string>>>;
}

const crew = (worker: string, reviewer: string, others: TeamPreset["roles"] = {}): TeamPreset["roles"] => ({
  orchestrator: worker,
  planner: worker,
  implementer: worker,
  qa: reviewer,
  verifier: reviewer,
  critic: reviewer,
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
    roles: crew("codex-cli:default", "codex-cli:another"),
  },
  {
    name: "claude-builder",
    about: "Claude Code builds, Codex reviews",
    roles: crew("claude-code:sonnet", "codex-cli:default"),
  },
  {
    name: "claude-critic",
    about: "Codex builds, another Codex model verifies, Claude Code criticises",
    roles: crew("codex-cli:default", "codex-cli:another", { critic: "claude-code:default" }),
  },
  {
    name: "spark-plus-sonnet",
    about: "Codex builds, Claude Code verifies and criticises",
    roles: crew("codex-cli:default", "claude-code:sonnet", { qa: "codex-cli:another" }),
  },
  {
    name: "pro-orchestrator",
    about: "ChatGPT in a page leads, Codex builds, another Codex model reviews",
    roles: crew("codex-cli:default", "codex-cli:another", { orchestrator: "chatgpt-web:chatgpt-pro" }),
  },
  {
    name: "claude-second-judge",
    about: "Codex builds, another Codex model verifies, Claude Code is the critic",
    roles: crew("codex-cli:default", "codex-cli:another", { critic: "claude-code:sonnet" }),
  },
  {
    name: "pro-claude-high-assurance",
    about: "ChatGPT in a page leads, Codex builds, Claude Code verifies and criticises",
    roles: crew("codex-cli:default", "claude-code:sonnet", {
      orchestrator: "chatgpt-web:chatgpt-pro",
      qa: "codex-cli:another",
    }),
  },
  {
    name: "claude-default",
    about: "Claude Code builds, another of its models reviews",
    roles: crew("claude-code:opus", "claude-code:sonnet"),
  },
  {
    name: "gemini-builder",
    about: "Gemini CLI builds, Claude Code reviews",
    roles: crew("gemini-cli:default", "claude-code:default"),
  },
  {
    name: "open-builder",
    about: "OpenCode builds, Codex verifies, Claude Code criticises",
    roles: crew("opencode:default", "codex-cli:default", { critic: "claude-code:default" }),
  },
];
