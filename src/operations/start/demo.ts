// `demo`: a whole governed run on a sample repository.
import { exitCodes } from "../../contract/index.ts";
import { define } from "../context/index.ts";
import { optional, text } from "../define/index.ts";
import { exitOf } from "../runs/exit.ts";

export const demo = define({
  name: "demo",
  group: "Start work",
  summary: "Watch a whole governed run on a sample repository, with the stub provider",
  examples: ["thehood demo", "thehood demo --dir /tmp/sample"],
  effect: "decides",
  input: {
    dir: optional(text("where to make the sample (default: a temporary folder)", { cli: { value: "dir" } })),
  },
  handle: async ({ dir }, context) => (await import("../runs/demo.ts")).startDemo(dir, context),
  cli: {
    exit: ({ end }) => (end ? exitOf(end) : exitCodes.failure),
  },
});
