// The command line: finds the command, parses, runs its body, turns failures into messages and exit codes.
import type { Given } from "../../operations/index.ts";
import { exitCodes } from "../../contract/index.ts";
import { reportFailure } from "./failure-report.ts";
import { commandHelp, overview } from "./help.ts";
import { findCommand, parseCommand } from "./parse.ts";
import type { Io } from "./spec.ts";
import { createStyle } from "./style.ts";
import { table } from "./table.ts";

export type { Io } from "./spec.ts";

export interface World {
  readonly io: Io;
  readonly given: Given;
  readonly cwd: string;
  readonly version: string;
  readonly signal: AbortSignal;
}

export async function runCli(argv: readonly string[], world: World): Promise<number> {
  const { io } = world;
  const json = argv.slice(0, Math.max(0, argv.indexOf("--")) || argv.length).includes("--json");
  try {
    const style = createStyle(io.color);
    const first = argv[0];
    if (
      argv.length === 0 ||
      first === "--help" ||
      first === "-h" ||
      (first === "help" && argv.length === 1)
    ) {
      io.out(overview(table, style));
      return exitCodes.ok;
    }
    if (first === "--version" || first === "-V" || first === "version") {
      io.out(`${world.version}\n`);
      return exitCodes.ok;
    }
    const { spec, rest } = findCommand(table, first === "help" ? argv.slice(1) : argv);
    const parsed = parseCommand(spec, rest);
    if (first === "help" || parsed.flags.on("help")) {
      io.out(commandHelp(spec, style));
      return exitCodes.ok;
    }
    const body = await spec.load();
    return await body.run({
      ...parsed,
      repo: parsed.flags.text("repo") ?? world.cwd,
      json: parsed.flags.on("json"),
      quiet: parsed.flags.on("quiet"),
      verbose: parsed.flags.on("verbose"),
      io,
      given: world.given,
      signal: world.signal,
    });
  } catch (error) {
    return reportFailure(error, io, json);
  }
}
