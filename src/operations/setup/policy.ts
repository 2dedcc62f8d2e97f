// `policy`: the policy in force.
import { define } from "../context/index.ts";

export const policy = define({
  name: "policy",
  group: "Set up",
  summary: "What may happen without you",
  effect: "reads",
  input: {},
  handle: async (_, { ports, folder }) => (await ports.setup.config(folder)).policy,
  cli: {},
});
