// `gateway sessions`: the sessions of the gateway that runs.
import { define } from "../context/index.ts";

export interface SessionRow {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly title: string;
  readonly model: string;
  readonly updatedAt: number;
  readonly error: string | null;
}

export const gatewaySessions = define({
  name: "gateway sessions",
  group: "Sandboxes",
  summary: "List the sessions of the running gateway",
  effect: "reads",
  input: {},
  handle: async (_, { ports }) =>
    (await ports.gateway.ask("GET", "/api/sessions")) as { sessions: SessionRow[] },
  cli: {},
});
