// `log accept`: a person takes the record as it stands.
import { define } from "../context/index.ts";

export const logAccept = define({
  name: "log accept",
  group: "Set up",
  summary: "Take the record as it stands, after you put back a backup or lost a store",
  more: "Heads of logs are signed; `thehood log verify` names runs whose log is another one, shorter or gone. When you know why, this signs the logs as they are now and the missing runs as gone. It alters no log.",
  effect: "decides",
  input: {},
  async handle(_, { ports, folder }) {
    await using runs = await ports.runs(folder);
    return { accepted: await runs.accept() };
  },
  cli: {},
});
