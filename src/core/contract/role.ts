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

export const roleTable: Readonly<Record<Role, RoleLimits>> = {
  orchestrator: {
    label: "Agent 1 / Orchestrator",
    read: true,
    edit: false,
    run: false,
    network: true,
    satisfies: null,
    runtime: false,
  },
  planner: {
    label: "Agent 1A / Planner",
    read: true,
    edit: false,
    run: false,
    network: true,
    satisfies: null,
    runtime: false,
  },
  researcher: {
    label: "Agent 1B / Researcher",
    read: true,
    edit: false,
    run: false,
    network: true,
    satisfies: null,
    runtime: false,
  },
  implementer: {
    label: "Agent 2 / Implementer",
    read: true,
    edit: true,
    run: true,
    network: false,
    satisfies: null,
    runtime: false,
  },
  qa: {
    label: "Agent 2A / QA Tester",
    read: true,
    edit: false,
    run: false,
    network: false,
    satisfies: null,
    runtime: false,
  },
  verifier: {
    label: "Agent 3 / Verifier",
    read: true,
    edit: false,
    run: true,
    network: false,
    satisfies: "verifier",
    runtime: false,
  },
  critic: {
    label: "Agent 4 / Critic",
    read: true,
    edit: false,
    run: false,
    network: false,
    satisfies: null,
    runtime: false,
  },
  citation: {
    label: "Agent 5 / Citation",
    read: true,
    edit: false,
    run: false,
    network: true,
    satisfies: null,
    runtime: false,
  },
  integrator: {
    label: "Runtime / Integrator",
    read: true,
    edit: true,
    run: true,
    network: false,
    satisfies: "integration",
    runtime: true,
  },
};

/** `provider:model`, the text form of an assignment. */
export const assignment = z
  .string()
  .regex(assignmentPattern, "an assignment is provider:model, e.g. stub:default");
