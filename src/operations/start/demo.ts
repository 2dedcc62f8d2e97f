// `demo`: a whole governed run on a sample repository.
import { exitCodes } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { flag, optional, text } from "../define/index.ts";
import { exitOf } from "../run-data/exit.ts";

export const demo = define({
  name: "demo",
  group: "Start",
  summary: "Watch a whole governed run on a sample repository, with the stub provider",
  more: "It tells its story in a few lines; in a terminal the patch waits for your own decision.",
  examples: ["thehood demo", "thehood demo --full", "thehood demo --dir /tmp/sample"],
  effect: "decides",
  input: {
    dir: optional(text("where to make the sample (default: a temporary folder)", { cli: { value: "dir" } })),
    full: flag("every line, every gate and the whole report"),
  },
  handle: async ({ dir, full }, context) =>
    (await import("../run-data/demo.ts")).startDemo(dir, full, context),
  cli: {
    exit: ({ end }) => (end ? exitOf(end) : exitCodes.failure),
  },
});
