// `gateway logs`: the events of a session, as they were, or as they come.
import { define } from "../context/index.ts";
import { flag, text, whole, withDefault } from "../define/index.ts";

/** The stream of a session that stands still says nothing; the look ends then. */
const quietMs = 400;

export const gatewayLogs = define({
  name: "gateway logs",
  group: "Sandboxes",
  summary: "Show the events of a session: messages, tools, status",
  examples: ["thehood gateway logs ses_0mx --follow"],
  effect: "reads",
  input: {
    sessionId: text("a session", { min: 1, max: 100, cli: { value: "session" } }),
    follow: flag("wait for new ones, until Ctrl-C"),
    after: withDefault(whole("only events after this number", { min: 0 }), 0),
  },
  handle: async ({ sessionId, follow, after }, { ports, signal }) =>
    follow
      ? ports.gateway.events(sessionId, after, signal)
      : untilQuiet((ends) => ports.gateway.events(sessionId, after, AbortSignal.any([signal, ends]))),
  cli: { words: ["sessionId"] },
});

async function* untilQuiet<T>(open: (ends: AbortSignal) => AsyncIterable<T>): AsyncGenerator<T> {
  const quiet = new AbortController();
  const wait = () => setTimeout(() => quiet.abort(), quietMs);
  let timer = wait();
  for await (const event of open(quiet.signal)) {
    clearTimeout(timer);
    yield event;
    timer = wait();
  }
  clearTimeout(timer);
}
