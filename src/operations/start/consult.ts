// Consulting one reading role, in a run of its own: for a program.
import type { RunMode } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { choice, optional, withDefault } from "../define/index.ts";
import { assignment, waitSeconds } from "../run-data/fields.ts";
import { goalOf, startFields } from "./fields.ts";
import { statusOutput } from "../run-data/output.ts";

const modeOf = {
  orchestrator: "plan",
  planner: "plan",
  researcher: "research",
  qa: "review",
  critic: "review",
} as const satisfies Readonly<Record<string, RunMode>>;
const consultable = Object.keys(modeOf) as (keyof typeof modeOf)[];

export const consult = define({
  name: "consult",
  group: "Ask agents",
  summary: "Ask one reading role a question in a run of its own",
  effect: "moves",
  input: {
    goal: goalOf("a question"),
    constraints: startFields.constraints,
    role: withDefault(choice(consultable, "who answers", { mcp: { about: "Who answers." } }), "critic"),
    agent: optional(assignment("who answers, for this call only", "provider:model for this call only.")),
    waitSeconds,
  },
  async handle({ role, agent, waitSeconds: seconds, ...wishes }, context) {
    const { begin } = await import("../run-data/begin.ts");
    const roles = agent === undefined ? {} : { [role]: agent };
    const asked = { ...wishes, roles, mode: modeOf[role], preferredRole: role };
    return begin(asked, { waitSeconds: seconds }, context);
  },
  mcp: {
    tool: "thehood_consult",
    main: true,
    title: "Consult one role",
    description: "Ask one reading role a question in a run of its own; nothing is edited.",
    output: statusOutput,
    present: async (standing) => (await import("../run-data/host-status.ts")).hostStatus(standing),
  },
});
