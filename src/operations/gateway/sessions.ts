// `gateway sessions`: the sessions of the gateway that runs.
import { define, type SessionRow } from "../context/index.ts";

export const gatewaySessions = define({
  name: "gateway sessions",
  group: "Connect",
  summary: "List the sessions of the running gateway",
  effect: "reads",
  input: {},
  handle: async (_, { ports }) =>
    (await ports.gateway.ask("GET", "/api/sessions")) as { sessions: SessionRow[] },
  cli: {},
});
