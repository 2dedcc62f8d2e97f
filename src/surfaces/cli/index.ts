// The command line: finds the command, parses, runs its body, turns failures into messages and exit codes.
import type { Given } from "../../operations/index.ts";
import { exitCodes, fail } from "../../contract/index.ts";
import { reportFailure } from "./failure-report.ts";
import { commandHelp, overview, program } from "./help.ts";
import { findCommand, leadingWords, parseCommand } from "./parse.ts";
import type { Io } from "./spec.ts";
import { jsonLine, spell } from "./spell/index.ts";
import { createStyle, type Style } from "./style.ts";
import { table } from "./table.ts";

export type { Io } from "./spec.ts";

export interface World {
  readonly io: Io;
  readonly given: Given;
  /** The folder it was called in; undefined when that is gone. */
  readonly cwd: () => string | undefined;
  readonly version: string;
  readonly signal: AbortSignal;
}

/** What is asked of the program itself; undefined when the words name a command to run. */
function askedOfUs(argv: readonly string[], version: string, style: Style): object | undefined {
  const { words } = leadingWords(argv);
  const [first, second] = words.map(({ word }) => word);
  if (first === "version") return { version };
  if (first === "help" && second !== undefined)
    return { help: commandHelp(findCommand(table, argv, 1).spec, style) };
  if (first !== undefined && first !== "help") return undefined;
  const { flags } = parseCommand(program, first === "help" ? argv.filter((word) => word !== first) : argv);
  return flags.on("version") ? { version } : { help: overview(table, style) };
}

const noFolder = (): never =>
  fail("invalid_input", "The folder this was called in does not exist any more.", {
    remedy: "Go to another one with cd, or name one with --repo.",
  });

export async function runCli(argv: readonly string[], world: World): Promise<number> {
  const { io } = world;
  const json = argv.slice(0, Math.max(0, argv.indexOf("--")) || argv.length).includes("--json");
  const tell = (told: object) => {
    const [text = ""] = Object.values(told).map(String);
    io.out(json ? `${JSON.stringify({ schemaVersion: 1, ok: true, ...told })}\n` : `${text.trimEnd()}\n`);
    return exitCodes.ok;
  };
  try {
    const style = createStyle(io.color && !json);
    const asked = askedOfUs(argv, world.version, style);
    if (asked) return tell(asked);
    const { spec, rest } = findCommand(table, argv);
    const parsed = parseCommand(spec, rest);
    if (parsed.flags.on("help")) return tell({ help: commandHelp(spec, style) });
    const body = await spec.load();
    return await body.run({
      ...parsed,
      get repo() {
        return parsed.flags.text("repo") ?? world.cwd() ?? noFolder();
      },
      json: parsed.flags.on("json"),
      quiet: parsed.flags.on("quiet"),
      verbose: parsed.flags.on("verbose"),
      io,
      spell,
      jsonLine,
      given: world.given,
      signal: world.signal,
    });
  } catch (error) {
    return reportFailure(error, io, json);
  }
}
