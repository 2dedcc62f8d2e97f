// The command line of `thehood`: every operation that has a command, with its context and renderers.
import { perform, type Context, type Ports } from "../../operations/index.ts";
import { quickOperations } from "../../operations/fast/index.ts";
import type { Io, Program } from "../argv/index.ts";
import { contextOf } from "./context.ts";
import { rendererOf } from "./render/renderers.ts";
import { jsonLine, spell } from "./spell.ts";

export const hoodProgram = (ports: Ports, operations: Program<Context>["operations"]): Program<Context> => ({
  name: "thehood",
  tagline: "TheHood: agents propose, the runtime decides. First time: thehood demo",
  epilogue: `Exit codes
  0 ok, 1 failure, 2 bad input, 3 approval required, 4 provider unavailable,
  5 verification failed, 6 permission denied, 7 answer invalid,
  8 run aborted, 130 stopped by ctrl-c

Start with: thehood demo        Then, in your repository: thehood run "make the login test stable"
More about a command: thehood <command> --help`,
  operations,
  perform,
  renderer: rendererOf,
  context: (call) => contextOf(call, ports),
  spell,
  jsonLine,
  former: () => import("./preview/index.ts"),
});

/** Options of these calls; another option may select a part that is an operation of its own, or ask for help. */
const quickOptions = /^(?:-[qv]|--(?:json|quiet|verbose|repo|limit|state|cursor)(?:=.*)?)$/;

/** A call that begins with the name of a quick operation and has only its options needs no other operation. */
const isQuick = ([first, ...rest]: readonly string[]): boolean =>
  rest.every((word) => !word.startsWith("-") || quickOptions.test(word)) &&
  // A word behind one that takes no words belongs to the name of another operation.
  quickOperations.some(
    ({ name, cli }) => name === first && (cli?.args !== undefined || rest[0]?.startsWith("-") !== false),
  );

/** Alone in a terminal the program shows the runs; alone anywhere else it tells what it can do. */
export const lineOf = (given: readonly string[], { device }: Io): readonly string[] =>
  given.length === 0 && device ? ["top"] : given;

/** The operations that a line can mean. */
export const operationsFor = async (argv: readonly string[]): Promise<Program<Context>["operations"]> =>
  isQuick(argv) ? quickOperations : (await import("../../operations/index.ts")).operations;
