// `checks add`, `checks remove`: checks of one's own, for this repository or for everybody who works on it.
import type { CheckKind } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { choice, flag, list, optional, text, whole, withDefault } from "../define/index.ts";

/** A list of its own: the schema of checks loads a schema library, and help must not. */
const kinds = ["typecheck", "lint", "test", "build", "other"] as const satisfies readonly CheckKind[];

const id = text("a short name, such as api-tests", {
  pattern: /^[a-z0-9][a-z0-9._:/-]{0,99}$/,
  words: "a name of small letters, digits and - . _ : /",
});
const shared = flag("in thehood.json, which is committed and shared with your team");

export const checksAdd = define({
  name: "checks add",
  group: "Set up",
  summary: "Add a check of your own for this repository, or for your team with --shared",
  more: "Without --shared it stands in .thehood/config.json, which stays on this machine. A check can only be added to those that are found: it never takes the place of one.",
  examples: [
    "thehood checks add api-tests -- npm run test:api",
    "thehood checks add --shared --kind lint style -- make style",
  ],
  effect: "decides",
  input: {
    id,
    argv: list(text("a word of the command"), "the command", {
      min: 1,
      max: 100,
      words: "the command after --",
    }),
    kind: withDefault(choice(kinds, "the kind of check"), "test"),
    cwd: optional(text("the folder it runs in, from the top of the repository", { min: 1, max: 500 })),
    timeoutMs: optional(whole("its time limit in milliseconds", { min: 1, cli: { value: "ms" } })),
    shared,
  },
  handle: ({ shared: forTeam, ...check }, { ports, folder }) =>
    ports.setup.addCheck(folder, check, forTeam ? "shared" : "repo"),
  cli: { words: ["id", "argv"], rest: true, passthrough: true },
});

export const checksRemove = define({
  name: "checks remove",
  group: "Set up",
  summary: "Remove a check that was added by checks add",
  examples: ["thehood checks remove api-tests"],
  effect: "decides",
  input: { id, shared },
  handle: ({ id: wanted, shared: forTeam }, { ports, folder }) =>
    ports.setup.removeCheck(folder, wanted, forTeam ? "shared" : "repo"),
  cli: { words: ["id"] },
});
