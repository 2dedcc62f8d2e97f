// `models`: agents and their models.
import { define } from "../context/index.ts";
import { optional, text } from "../define/index.ts";

export const models = define({
  name: "models",
  group: "Set up",
  summary: "Agents and their models, and which can be used here now",
  examples: ["thehood models", "thehood models codex-cli --json"],
  effect: "reads",
  input: { provider: optional(text("only this one")) },
  handle: ({ provider }, { ports, folder }) => ports.setup.models(folder, provider),
  cli: { words: ["provider"] },
});
