// `policy`: the policy in force.
import { define } from "../context/index.ts";

export const policy = define({
  name: "policy",
  group: "Set up",
  summary: "What may happen without you",
  effect: "reads",
  input: {},
  async handle(_, { ports, folder }) {
    // A half applied patch is finished first: it may hold configuration of the repository.
    await using _runs = await ports.runs(folder);
    return (await ports.setup.config(folder)).policy;
  },
  cli: {},
});
