// `gateway dev`: a throw-away gateway without an agent, for programs and tests.
import { define } from "../context/index.ts";
import { list, text, whole, withDefault } from "../define/index.ts";

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
