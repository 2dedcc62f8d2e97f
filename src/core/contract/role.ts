// The nine roles and their hard limits. This one table holds the rights of each role.
import { z } from "zod";
import { assignmentPattern, roles, type Role } from "./text.ts";

export const role = z.enum(roles);

export interface RoleLimits {
  readonly label: string;
  readonly read: boolean;
  readonly edit: boolean;
  readonly run: boolean;
  readonly network: boolean;
  /** Which required lane an accepted response of this role can satisfy in the main loop. */
  readonly satisfies: "verifier" | "integration" | null;
  /** Runtime code rather than a provider fills it. */
  readonly runtime: boolean;
}

/** The least: it reads, and does nothing else. */
const reader = { read: true, edit: false, run: false, network: false, satisfies: null, runtime: false };

export const roleTable: Readonly<Record<Role, RoleLimits>> = {
  orchestrator: { ...reader, label: "Agent 1 / Orchestrator", network: true },
  planner: { ...reader, label: "Agent 1A / Planner", network: true },
  researcher: { ...reader, label: "Agent 1B / Researcher", network: true },
  implementer: { ...reader, label: "Agent 2 / Implementer", edit: true, run: true },
  qa: { ...reader, label: "Agent 2A / QA Tester" },
  verifier: { ...reader, label: "Agent 3 / Verifier", run: true, satisfies: "verifier" },
  critic: { ...reader, label: "Agent 4 / Critic" },
  citation: { ...reader, label: "Agent 5 / Citation", network: true },
  integrator: {
    ...reader,
    label: "Runtime / Integrator",
    edit: true,
    run: true,
    satisfies: "integration",
    runtime: true,
  },
};

/** `provider:model`, the text form of an assignment. */
export const assignment = z.string().regex(assignmentPattern, "an assignment is provider:model, e.g. stub:default");
