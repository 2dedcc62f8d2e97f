// The checks of a repository: list, run, add and remove.
import { define } from "../context/index.ts";
import { exitCodes, type CheckKind } from "../../core/contract/index.ts";
import { list, text, choice, flag, optional, whole, withDefault } from "../define/index.ts";

export const checks = define({
  name: "checks",
  group: "Set up",
  summary: "The checks of this repository, and their last results",
  more: "Checks are read from the last commit and from the configuration. Nothing is run; to run them: thehood checks test",
  examples: ["thehood checks", "thehood checks --json"],
  effect: "reads",
  input: {},
  async handle(_, { ports, folder }) {
    await using runs = await ports.runs(folder);
    return await runs.checks();
  },
  cli: {},
});

export const checksTest = define({
  name: "checks test",
  group: "Set up",
  summary: "Run the checks on the last commit, as a run would: in the sandbox, without an agent",
  more: "Exit code 5 when a check does not pass.",
  examples: ["thehood checks test", "thehood checks test npm:test"],
  effect: "moves",
  input: { ids: list(text("the id of a check"), "which checks (default: all)", { max: 100 }) },
  async handle({ ids }, { ports, folder, signal, tell }) {
    await using runs = await ports.runs(folder);
    return { checks: await runs.testChecks({ ids, signal, tell }) };
  },
  cli: {
    args: ["ids"],
    rest: true,
    exit: ({ checks }) =>
      checks.every(({ result }) => result === "passed") ? exitCodes.ok : exitCodes.verificationFailed,
  },
});

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
  more: "Without --shared it is in .thehood/config.json, which stays on this machine. A check can only be added to those that are found: it never takes the place of one.",
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
  cli: { args: ["id", "argv"], rest: true, passthrough: true },
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
  cli: { args: ["id"] },
});
