// `config set`: changes one value of the user's configuration.
import { define } from "../context/index.ts";
import { text } from "../define/index.ts";
import { key } from "./keys.ts";

export const configSet = define({
  name: "config set",
  group: "Set up",
  summary: "Change one value of your own configuration",
  examples: [
    "thehood config set providers.codex-cli.program /opt/codex/bin/codex",
    "thehood config set policy.fanoutParallel 2",
  ],
  effect: "decides",
  input: { key, value: text("JSON, or plain text") },
  handle: (input, { ports }) => ports.setup.setConfig(input.key, input.value),
  cli: { words: ["key", "value"] },
});
