// `gateway new`: a session of the running gateway, started, with a first message when there is one.
import { define } from "../context/index.ts";
import { choice, optional, text, withDefault } from "../define/index.ts";

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
    if (message !== undefined)
      await gateway.ask("POST", `/api/sessions/${session.id}/message`, { content: message });
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
