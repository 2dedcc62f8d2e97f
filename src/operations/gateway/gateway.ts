// Serves the gateway, and stores the secrets of its configurations.
import { define } from "../context/index.ts";
import { choice, flag, list, optional, text, whole, withDefault, source } from "../define/index.ts";
import { fail } from "../../core/contract/index.ts";

export const gateway = define({
  name: "gateway",
  group: "Connect",
  summary: "Serve coding agents in sandboxes over HTTP and WebSocket",
  more: "Keys of model APIs stay in this process: a sandbox reaches its model through the gateway. The address and the token are kept for the other gateway commands.",
  examples: ["thehood gateway", "thehood gateway --endpoint http://127.0.0.1:11434/v1"],
  effect: "decides",
  input: {
    port: withDefault(whole("the port", { min: 0, max: 65_535 }), 7467),
    host: withDefault(text("the address", { cli: { value: "addr" } }), "127.0.0.1"),
    allowRemote: flag("you allow an address that other machines can reach"),
    provider: withDefault(choice(["local", "docker", "e2b", "modal"], "the kind of sandboxes"), "local"),
    image: optional(
      text("the image or template of sandboxes that are not local: git, a shell and OpenCode in it", {
        cli: { value: "name" },
      }),
    ),
    publicUrl: optional(
      text("the https address by which sandboxes of a cloud reach this gateway", { cli: { value: "url" } }),
    ),
    allowHosts: list(
      text("a host", { cli: { value: "host" } }),
      "a host outside that programs in local sandboxes may reach (default: none)",
      { cli: { name: "allow-host" } },
    ),
    endpoint: optional(
      text("an OpenAI-compatible endpoint for models that are not Anthropic's", { cli: { value: "url" } }),
    ),
    anthropicEndpoint: optional(text("another endpoint for Anthropic models", { cli: { value: "url" } })),
  },
  async handle({ allowRemote, ...asked }, { ports, signal, tell }) {
    const served = ports.gateway.serve({ ...asked, remote: allowRemote, signal });
    tell("· Ctrl-C ends the gateway; sandboxes stay, and the next gateway takes them up again");
    tell('· in another terminal, in a repository: thehood gateway new --message "…"');
    return served;
  },
  cli: { main: true },
});

export const gatewayDev = define({
  name: "gateway dev",
  group: "Connect",
  summary: "Serve a throw-away gateway without an agent, for programs and tests",
  more: "Prints one JSON line with its url, its adminToken and a token for each session.",
  examples: ["thehood gateway dev --json --session s1=coding --session s2=setup"],
  effect: "decides",
  input: {
    port: withDefault(whole("the port (default: a free one)", { min: 0, max: 65_535 }), 0),
    sessions: list(
      text("a session", { cli: { value: "ID=KIND" } }),
      "a session to make: setup, coding, automation, scratch or ended",
      { cli: { name: "session" } },
    ),
  },
  handle: async ({ port, sessions }, { ports, signal }) => ports.gateway.dev({ port, sessions, signal }),
  cli: {},
});

export const gatewaySecrets = define({
  name: "gateway secrets",
  group: "Connect",
  summary: "List the secrets of a configuration by name; store one with --set, delete one with --remove",
  examples: [
    "thehood gateway secrets conf_0mx",
    'printf %s "$KEY" | thehood gateway secrets conf_0mx --set STRIPE_KEY',
  ],
  effect: "decides",
  input: {
    configurationId: text("a configuration", { min: 1, max: 100, cli: { value: "configuration" } }),
    set: optional(
      text("keep this variable; its value is read from standard input", { max: 200, cli: { value: "KEY" } }),
    ),
    remove: optional(text("forget this variable", { max: 200, cli: { value: "KEY" } })),
    value: optional(source("a file with the value, instead of standard input")),
  },
  async handle({ configurationId, set, remove, value }, { ports, lines }) {
    const base = `/api/configurations/${encodeURIComponent(configurationId)}/secrets`;
    if (set !== undefined) {
      const text = value ? new TextDecoder().decode(await value.bytes()) : await allLines(lines);
      if (text === "")
        fail("invalid_input", "There is no value.", { remedy: "Pipe it in, or name a file with --value." });
      await ports.gateway.ask("PUT", `${base}/${encodeURIComponent(set)}`, {
        value: text.replace(/\n$/, ""),
      });
    }
    if (remove !== undefined) await ports.gateway.ask("DELETE", `${base}/${encodeURIComponent(remove)}`);
    return (await ports.gateway.ask("GET", base)) as { secrets: { key: string; updatedAt: number }[] };
  },
  cli: { args: ["configurationId"] },
});

async function allLines(lines: (() => AsyncIterable<string>) | undefined): Promise<string> {
  const all: string[] = [];
  for await (const line of lines?.() ?? []) all.push(line);
  return all.join("\n");
}
