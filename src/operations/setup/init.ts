// `init`: prepares a repository.
import { define } from "../context/index.ts";

export const init = define({
  name: "init",
  group: "Set up",
  summary: "Prepare a repository: its state folder and git's exclude file",
  effect: "moves",
  input: {},
  handle: (_, { ports, folder }) => ports.setup.init(folder),
  cli: {},
});
