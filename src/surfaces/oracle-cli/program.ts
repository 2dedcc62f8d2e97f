// The command line of `oracle`, derived from its operations.
import { fail, plainText } from "../../core/contract/index.ts";
import { errorResult, statusExit, type BrowserPort, type Transport } from "../../core/contract/transport/index.ts";
import { ask, oracleOperations, perform, type OracleContext } from "../../operations/oracle/index.ts";
import { refuseLine, runProgram, type Io, type OptionSpec, type Program, type ProgramCall } from "../argv/index.ts";
import { rootHelp, tagline } from "./help.ts";
import { fromUpstream } from "./upstream.ts";

/** Everything that the app hands in. */
export interface OracleDeps {
  readonly io: Io;
  readonly cwd: string;
  readonly version: string;
  readonly signal: AbortSignal;
  /** ORACLE_NO_DETACH=1: run in this process. */
  readonly inline: boolean;
  /** Whether standard input is a terminal, read only when the prompt may come from it. */
  readonly stdinIsTerminal: () => boolean;
  /** Whether an agent or a check of a run started this process. */
  readonly startedByRun: () => Promise<boolean>;
  readonly transport: () => Promise<Transport>;
  readonly browser: () => Promise<BrowserPort>;
  /** Puts a text on the clipboard and returns the name of the program that did it. */
  readonly copy: (text: string) => Promise<string>;
  /** The main function of a run's own process; returns its exit code. */
  readonly runSession: (id: string) => Promise<number>;
  /** Serves MCP on the standard streams until they close. */
  readonly serveMcp: () => Promise<void>;
}

const maxStdinChars = 64 << 20;

async function readStdin(stdin: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  try {
    for await (const chunk of stdin) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > maxStdinChars) return fail("invalid_input", "Standard input is larger than 64 MB.");
    }
    return text + decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return fail("invalid_input", "Standard input is not UTF-8 text.", {
      remedy: "Attach other files with --file.",
    });
  }
}

/**
 * The answer on a terminal while it arrives. A page may rewrite its text, and the captured answer may differ: then the
 * whole answer is printed again.
 */
export class AnswerStream {
  readonly #io: Io;
  #shown = "";

  constructor(io: Io) {
    this.#io = io;
  }

  soFar(text: string): void {
    if (text.startsWith(this.#shown)) this.#io.out(plainText(text.slice(this.#shown.length)));
    else if (text !== "") this.#io.out(`${this.#shown === "" ? "" : "\n"}${plainText(text)}`);
    this.#shown = text;
  }

  /** The part of the answer that is still to be printed. */
  rest(answer: string): string {
    const shown = this.#shown;
    this.#shown = "";
    if (answer.startsWith(shown)) return answer.slice(shown.length);
    return `\n\n--- the answer as it was captured ---\n${answer}`;
  }
}

const group = "Session and output";
const common: readonly OptionSpec[] = [
  { name: "json", help: "Print one JSON document on stdout.", group },
  { name: "quiet", short: "q", help: "No progress on stderr.", group },
  { name: "help", short: "h", help: "show this help" },
];

/** The renderer prints the rest of an answer that was streamed. */
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
    stdin: async () => (deps.stdinIsTerminal() ? null : readStdin(io.stdin)),
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
  overview: (root, table, all) => rootHelp(root, table, common, all),
  renderer: async (name) => (await import("./renderers.ts")).rendererOf(name),
  context: (call) => contextOf(call, deps),
  spell: ({ suggest }) => `oracle ${suggest}`,
  jsonLine: (value) => `${JSON.stringify(value, null, 2)}\n`,
  failed: errorResult,
  exit: ({ code }) => (code === "timeout" ? statusExit.timeout : statusExit.error),
});

export async function runOracle(given: readonly string[], deps: OracleDeps): Promise<number> {
  const { argv, note, instead } = fromUpstream(given);
  if (instead !== null) {
    if (!instead.help)
      return refuseLine({ code: "invalid_input", message: instead.text }, given, oracleProgram(deps), deps.io);
    deps.io.out(`${instead.text}\n`);
    return 0;
  }
  if (note !== null) deps.io.err(`${note}\n`);
  // A person who types the name alone looks for help; a pipe without words brings the request.
  const asked = argv.length === 0 && deps.stdinIsTerminal() ? ["--help"] : argv;
  return runProgram(asked, oracleProgram(deps), { ...deps, cwd: () => deps.cwd });
}
