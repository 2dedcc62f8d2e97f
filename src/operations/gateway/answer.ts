// Answers the request of an agent for values. A value is typed unseen, or comes from a file, from standard input or from the
// stored values of the configuration. It is never printed and is in no log.
import { define } from "../context/index.ts";
import { flag, list, optional, source, text, withDefault } from "../define/index.ts";
import { sessionId } from "./work.ts";

export const gatewayAnswer = define({
  name: "gateway answer",
  group: "Connect",
  summary: "Give the agent of a session the values that it asked for",
  more: "KEY alone is asked for without showing what you type; without a KEY every requested value is. KEY=value stays in the history of your shell. Values go into the sandbox and are never printed.",
  examples: [
    "thehood gateway answer ses_0mx",
    "thehood gateway answer ses_0mx STRIPE_KEY --keep",
    "thehood gateway answer ses_0mx --file values.env",
    'printf %s "$KEY" | thehood gateway answer ses_0mx STRIPE_KEY',
    "thehood gateway answer ses_0mx --stored STRIPE_KEY",
  ],
  effect: "decides",
  input: {
    sessionId,
    values: list(
      text("a variable", { max: 70_000, cli: { value: "KEY=value" } }),
      "the variables: KEY, or KEY=value (default: all that were requested)",
    ),
    value: optional(source("a file with the value of the one KEY")),
    file: optional(source("an env file with KEY=value lines")),
    stored: list(
      text("a variable", { max: 200, cli: { value: "KEY" } }),
      "use the value that the configuration of the session keeps for KEY",
    ),
    keep: flag("also store the values in the configuration, encrypted, for later sessions"),
    decline: flag("give no values: close the request and tell the agent"),
    message: withDefault(
      text("the message to the agent after the values; empty for none", { max: 10_000 }),
      "Configuration submitted.",
    ),
  },
  handle: async (input, context) => (await import("./handle-answer.ts")).answer(input, context),
  cli: { args: ["sessionId", "values"], rest: true },
});
