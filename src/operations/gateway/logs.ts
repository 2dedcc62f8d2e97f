// `gateway logs`: the events of a session, as they were, or as they come.
import { define, type GatewayPort, type SessionEventRow } from "../context/index.ts";
import { flag, text, whole, withDefault } from "../define/index.ts";

export const gatewayLogs = define({
  name: "gateway logs",
  group: "Connect",
  summary: "Show the events of a session: messages, tools, status",
  examples: ["thehood gateway logs ses_0mx --follow"],
  effect: "reads",
  input: {
    sessionId: text("a session", { min: 1, max: 100, cli: { value: "session" } }),
    follow: flag("wait for new ones, until Ctrl-C"),
    after: withDefault(whole("only events after this number", { min: 0 }), 0),
  },
  handle: async ({ sessionId, follow, after }, { ports, signal }) =>
    follow ? ports.gateway.events(sessionId, after, signal) : before(ports.gateway, sessionId, after),
  cli: { words: ["sessionId"] },
});

/** The events until now, without the single tokens. */
async function* before(
  gateway: GatewayPort,
  sessionId: string,
  after: number,
): AsyncGenerator<Record<string, unknown>> {
  const path = `/api/sessions/${encodeURIComponent(sessionId)}/history`;
  const { events } = (await gateway.ask("GET", path)) as { events: SessionEventRow[] };
  for (const event of events) if (event.seq > after) yield { ...event };
}
