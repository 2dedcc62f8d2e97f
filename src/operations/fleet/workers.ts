// `workers`: the workers that advance runs of the shared store, and the runs that wait.
import { define } from "../context/index.ts";

export const workers = define({
  name: "workers",
  group: "Connect",
  summary: "Show the workers of the shared store, what they do and what waits",
  examples: ["thehood workers", "thehood workers --json"],
  effect: "reads",
  input: {},
  handle: async (_input, context) => (await context.ports.fleet()).view(),
  cli: {},
});
