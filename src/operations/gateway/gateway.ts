// `gateway`: serves coding agents in sandboxes to users, services and the sandboxes themselves.
import { define } from "../context/index.ts";
import { choice, flag, list, optional, text, whole, withDefault } from "../define/index.ts";

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
    const told = ports.gateway.serve({ ...asked, remote: allowRemote, signal });
    tell("· Ctrl-C ends the gateway; sandboxes stay, and the next gateway takes them up again");
    tell('· in another terminal, in a repository: thehood gateway new --message "…"');
    return told;
  },
  cli: { main: true },
});
