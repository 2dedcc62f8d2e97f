// `config unset`: takes one value out of the user's configuration.
import { define } from "../context/index.ts";
import { key } from "./keys.ts";

export const configUnset = define({
  name: "config unset",
  group: "Set up",
  summary: "Take one value out of your own configuration",
  examples: ["thehood config unset policy.fanoutParallel"],
  effect: "decides",
  input: { key },
  handle: (input, { ports }) => ports.setup.setConfig(input.key),
  cli: { words: ["key"] },
});
