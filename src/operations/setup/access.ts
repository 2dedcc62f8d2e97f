// `access`: where data would go.
import { transferPurposes } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { choice, spelled, withDefault } from "../define/index.ts";
import { crew } from "./crew.ts";

export const access = define({
  name: "access",
  group: "Set up",
  summary: "Where your data would go if this crew were called; calls nobody",
  examples: ["thehood access --purpose repo_context"],
  effect: "reads",
  input: {
    purpose: withDefault(
      choice(transferPurposes, "what would be sent", { mcp: { about: "What would be sent." } }),
      "repo_context",
    ),
    roles: spelled(crew, {
      only: "mcp",
      mcp: { name: "role_mapping", about: "Who would play which role; the configured crew without." },
    }),
  },
  handle: ({ purpose, roles }, { ports, folder }) => ports.setup.access(folder, purpose, roles),
  cli: {},
  mcp: {
    tool: "thehood_model_access",
    title: "Where data would go",
    description:
      "Preflight: destinations, what would cross, what to approve, what else is possible. Calls nobody.",
    output: {
      localOnly: "boolean",
      purpose: "string",
      destinations: "array?",
      dataLeaves: "boolean",
      approval: "string?",
      fallbacks: "array?",
    },
    present: async (report) => (await import("../truncate/index.ts")).truncateToBytes(report, 5_800),
  },
});
