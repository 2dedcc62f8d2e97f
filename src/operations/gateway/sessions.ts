// Sessions of the gateway: start, list, show and stop them.
import {
  define,
  type SessionRow,
  type SessionEventRow,
  type ShownSandboxSession,
  type GatewayPort,
} from "../context/index.ts";
import { choice, optional, text, withDefault, flag, whole } from "../define/index.ts";

const kinds = ["setup", "coding", "automation", "scratch"] as const;

export const gatewayNew = define({
  name: "gateway new",
  group: "Connect",
  summary: "Start a session: a sandbox with a copy of this repository, and an agent in it",
  examples: [
    'thehood gateway new --message "fix the failing test"',
    "thehood gateway new --kind setup --model local/qwen3",
  ],
  effect: "moves",
  input: {
    kind: withDefault(choice(kinds, "the kind of session"), "coding"),
    configuration: optional(text("a configuration of an earlier session; a new one without", { max: 100 })),
    model: optional(text("the model", { max: 200 })),
    title: optional(text("a title", { max: 200 })),
    message: optional(text("the first message to the agent", { max: 100_000 })),
  },
  async handle({ kind, configuration, model, title, message }, { ports, folder, tell }) {
    const { gateway } = ports;
    const made = configuration ?? (kind === "scratch" ? null : await newConfiguration(ports.gateway, folder));
    const named = title ?? message?.split("\n", 1)[0]?.slice(0, 100);
    tell("· starting the sandbox and the agent");
    const session = (await gateway.ask("POST", "/api/sessions", {
      kind,
      configurationId: made,
      start: true,
      ...(model === undefined ? {} : { model }),
      ...(named === undefined ? {} : { title: named }),
    })) as { id: string; status: string; kind: string };
    if (message !== undefined) await gateway.ask("POST", `/api/sessions/${session.id}/message`, { content: message });
    return { sessionId: session.id, kind: session.kind, status: session.status, configurationId: made };
  },
  cli: {},
});

async function newConfiguration(
  gateway: { ask(method: string, path: string, body?: object): Promise<unknown> },
  folder: string,
): Promise<string> {
  const name = folder.split(/[\\/]/).findLast(Boolean) ?? "workspace";
  const made = await gateway.ask("POST", "/api/configurations", { name, source: folder });
  return (made as { id: string }).id;
}

export const gatewaySessions = define({
  name: "gateway sessions",
  group: "Connect",
  summary: "List the sessions of the running gateway",
  effect: "reads",
  input: {},
  handle: async (_, { ports }) => (await ports.gateway.ask("GET", "/api/sessions")) as { sessions: SessionRow[] },
  cli: {},
});

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
    const history = (await ports.gateway.ask("GET", `${path}/history`)) as { events: SessionEventRow[] };
    return { session, events: history.events };
  },
  cli: { args: ["sessionId"] },
});

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
  cli: { args: ["sessionId"] },
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

export const gatewayStop = define({
  name: "gateway stop",
  group: "Connect",
  summary: "Stop a session: its sandbox ends and its tokens become invalid",
  examples: ["thehood gateway stop ses_0mx"],
  effect: "moves",
  input: { sessionId: text("a session", { min: 1, max: 100, cli: { value: "session" } }) },
  async handle({ sessionId }, { ports }) {
    const path = `/api/sessions/${encodeURIComponent(sessionId)}/stop`;
    const { id, status } = (await ports.gateway.ask("POST", path)) as { id: string; status: string };
    return { sessionId: id, status };
  },
  cli: { args: ["sessionId"] },
});
