// `teams apply`: uses a ready-made crew.
import { teamNames } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { text } from "../define/index.ts";
import { scopeOf, user } from "./keys.ts";

export const teamsApply = define({
  name: "teams apply",
  group: "Set up",
  summary: "Use a ready-made team",
  examples: ["thehood teams apply codex-default"],
  effect: "decides",
  input: { team: text("the name of a team", { cli: { suggest: teamNames } }), user },
  handle: ({ team, user: forUser }, { ports, folder }) =>
    ports.setup.applyTeam(folder, team, scopeOf(forUser)),
  cli: { words: ["team"] },
});
