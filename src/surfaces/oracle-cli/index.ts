// The command line of `oracle`, derived from its operations.
import { plainText } from "../../core/contract/index.ts";
import { errorResult, statusExit } from "../../core/contract/transport/index.ts";
import { ask, oracleOperations, perform, type OracleContext } from "../../operations/oracle/index.ts";
import { runProgram, type ProgramCall, type OptionSpec, type Program } from "../argv/index.ts";
import { rootHelp, tagline } from "./help.ts";
import { AnswerStream } from "./stream.ts";
import type { OracleDeps } from "./spec.ts";

export type { OracleDeps } from "./spec.ts";

const group = "Session and output";
const common: readonly OptionSpec[] = [
  { name: "json", help: "Print one JSON document on stdout.", group },
  { name: "quiet", short: "q", help: "No progress on stderr.", group },
  { name: "help", short: "h", help: "show this help" },
];

/** The stream of an answer is known to whoever prints the end of it. */
export interface OracleCall extends OracleContext {
  readonly stream?: AnswerStream;
}

function contextOf({ io, quiet, json, signal }: ProgramCall, deps: OracleDeps): OracleCall {
  const stream = io.terminal && !json ? new AnswerStream(io) : undefined;
  return {
    program: "oracle",
    actor: { kind: "person", surface: "cli" },
    ports: { startedByRun: deps.startedByRun },
    ...(stream ? { stream, onText: (text: string) => stream.soFar(text) } : {}),
    copy: deps.copy,
    transport: deps.transport,
    browser: deps.browser,
    stdin: async () => (deps.stdinIsTerminal() ? null : (await import("./stdin.ts")).readStdin(io.stdin)),
    say: (line) => {
      if (!quiet) io.err(`${line}\n`);
    },
    warn: (text) => io.err(`warning: ${plainText(text)}\n`),
    signal,
    inline: deps.inline,
    runSession: deps.runSession,
    serveMcp: deps.serveMcp,
  };
}

export const oracleProgram = (deps: OracleDeps): Program<OracleContext> => ({
  name: "oracle",
  tagline,
  epilogue: "",
  operations: oracleOperations,
  perform,
  root: ask,
  isForRoot: (word) => /\s/.test(word),
  common,
  overview: (root, table) => rootHelp(root, table, common),
  renderer: async (name) => (await import("./renderers.ts")).renderers[name],
  context: (call) => contextOf(call, deps),
  spell: ({ suggest }) => `oracle ${suggest}`,
  jsonLine: (value) => `${JSON.stringify(value, null, 2)}\n`,
  failed: errorResult,
  exit: ({ code }) => (code === "timeout" ? statusExit.timeout : statusExit.error),
});

export const runOracle = (argv: readonly string[], deps: OracleDeps): Promise<number> =>
  runProgram(argv, oracleProgram(deps), { ...deps, cwd: () => deps.cwd });
