// `gateway session`: one session of the gateway with the events that a person reads.
import { define, type SessionEventRow, type SessionRow, type ShownSandboxSession } from "../context/index.ts";
import { text } from "../define/index.ts";

export const gatewaySession = define({
  name: "gateway session",
  group: "Connect",
  summary: "Show one session of the gateway with its last events",
  examples: ["thehood gateway session ses_0mx --json"],
  effect: "reads",
  input: { sessionId: text("a session", { min: 1, max: 100, cli: { value: "session" } }) },
  async handle({ sessionId }, { ports }): Promise<ShownSandboxSession> {
    const path = `/api/sessions/${encodeURIComponent(sessionId)}`;
    const session = (await ports.gateway.ask("GET", path)) as SessionRow;
    const told = (await ports.gateway.ask("GET", `${path}/history`)) as { events: SessionEventRow[] };
    return { session, events: told.events };
  },
  cli: { words: ["sessionId"] },
});
