// Runs one line of a program: finds the operation, parses its input, has it handled, shows the result, and answers the
// exit code. A failure becomes one message with its remedy.
import { exitCodes, fail, FailureError, type Failure } from "../../core/contract/index.ts";
import { parseFields, type AnyOperation } from "../../operations/define/index.ts";
import { completionOperation } from "./completion.ts";
import { inputOf, specOf } from "./derive.ts";
import { findCommand, leadingWords, parseCommand, type ParsedArgv } from "./parse.ts";
import type { ProgramCall, ProgramCommand, Program, Renderer } from "./program.ts";
import { show } from "./show.ts";
import { commonOptions, partsOf, type CommandSpec, type Io, type OptionSpec } from "./spec.ts";
import { createStyle, type Style } from "./style.ts";

export interface ProgramDeps {
  readonly io: Io;
  /** The folder it was called in; undefined when that is gone. */
  readonly cwd: () => string | undefined;
  readonly version: string;
  readonly signal: AbortSignal;
}

const commandOf = <C>(operation: AnyOperation<C>, renderer?: Renderer): ProgramCommand<C> => ({
  operation,
  renderer,
  spec: specOf(operation as AnyOperation),
});

/** Every command of a program, with its own completions. */
export function commandsOf<C>(program: Program<C>): readonly ProgramCommand<C>[] {
  const offered = program.operations.filter(({ cli }) => cli !== undefined);
  const print: Renderer<{ script: string }, C> = { print: ({ script }, { io }) => io.out(script) };
  const shown = () => commands.map(({ spec }) => spec).filter(({ hidden }) => !hidden);
  const root = program.root && specOf(program.root as AnyOperation);
  const completion = completionOperation(program.name, shown, program.common, root);
  const commands = [
    ...offered.map((operation) => commandOf(operation)),
    commandOf(completion as AnyOperation<C>, print as Renderer),
  ];
  return commands;
}

/** The answer of the program itself; undefined when the words name a command to run. */
async function askedOfProgram<C>(
  argv: readonly string[],
  program: Program<C>,
  table: readonly CommandSpec[],
  { version, io }: ProgramDeps,
  style: Style,
): Promise<object | undefined> {
  const { words } = leadingWords(argv);
  const [first, second] = words.map(({ word }) => word);
  if (first === "version") return { version };
  if (first === "help" && second !== undefined)
    return {
      help: await helpOfCommand(program, table, findCommand(program.name, table, argv, 1).spec, style),
    };
  if (first !== undefined && first !== "help") return undefined;
  const { overview, programSpec } = await import("./help.ts");
  const own = programSpec(program.tagline, table, hasOwnScreen(program) || undefined);
  const left = first === "help" ? argv.filter((word) => word !== first) : argv;
  const { flags } = parseCommand(program.name, own, left, program.common);
  if (flags.on("version")) return { version };
  const all = own.options?.some(({ name }) => name === "all") === true && flags.on("all");
  return { help: program.root ? await helpOf(program, io, all) : overview(program, table, style, all) };
}

/** The program has a help of its own, of which the rest is shown with --all. */
const hasOwnScreen = <C>({ root, overview }: Program<C>): boolean => root !== undefined && overview !== undefined;

const helpOfCommand = async <C>(
  { name, common }: Program<C>,
  table: readonly CommandSpec[],
  spec: CommandSpec,
  style: Style,
): Promise<string> => (await import("./help.ts")).commandHelp(name, spec, style, common, partsOf(table, spec));

const noFolder = (): never =>
  fail("invalid_input", "The folder this was called in does not exist any more.", {
    remedy: "Go to another one with cd, or name one with --repo.",
  });

function callOf(
  { flags }: ParsedArgv,
  { io, cwd, signal }: ProgramDeps,
  common: readonly OptionSpec[] = commonOptions,
): ProgramCall {
  const on = (name: string) => common.some((option) => option.name === name) && flags.on(name);
  const repo = common.some(({ name }) => name === "repo") ? flags.text("repo") : undefined;
  return {
    io,
    json: on("json"),
    quiet: on("quiet"),
    verbose: on("verbose"),
    get folder() {
      return repo ?? cwd() ?? noFolder();
    },
    named: repo !== undefined,
    signal,
  };
}

async function runCommand<C>(
  program: Program<C>,
  { operation, renderer: own }: ProgramCommand<C>,
  parsed: ParsedArgv,
  deps: ProgramDeps,
): Promise<number> {
  const plain = operation as AnyOperation;
  const input = parseFields(plain.input, await inputOf(plain, parsed, deps.io));
  if (!input.ok) return (await import("./failure-report.ts")).refuseInput(program.name, plain, input.refusals);
  const call = callOf(parsed, deps, program.common);
  const context = program.context(call);
  try {
    const result = await program.perform(operation, input.value, context);
    // Asked after the result was shown: one that comes bit by bit is known at its end.
    const exit = () => operation.cli?.exit?.(result as never) ?? exitCodes.ok;
    const renderer = own ?? (await program.renderer(operation.name));
    const style = createStyle(call.io.color);
    const view = Object.assign(Object.create(call) as ProgramCall, { style, context, spell: program.spell });
    await show(result, exit, renderer as Renderer<unknown, C> | undefined, view, (value) => program.jsonLine(value));
    return exit();
  } finally {
    await context[Symbol.asyncDispose]?.();
  }
}

/** The program called without a command: asked about itself, or for its root operation. */
async function runRoot<C>(
  program: Program<C>,
  root: AnyOperation<C>,
  argv: readonly string[],
  deps: ProgramDeps,
  print: (fields: object) => number,
): Promise<number> {
  const spec = specOf(root as AnyOperation);
  const { programSpec } = await import("./help.ts");
  // A request has no option --all.
  const hasMore = hasOwnScreen(program) && argv.some((word) => word === "--help" || word === "-h");
  const own = programSpec(program.tagline, [], hasMore).options ?? [];
  const whole = { ...spec, options: [...(spec.options ?? []), ...own] };
  const parsed = parseCommand(program.name, whole, argv, program.common);
  if (parsed.flags.on("help"))
    return print({ help: await helpOf(program, deps.io, hasMore && parsed.flags.on("all")) });
  if (parsed.flags.on("version")) return print({ version: deps.version });
  return await runCommand(program, { operation: root, spec }, parsed, deps);
}

/** The help of the program itself. */
async function helpOf<C>(program: Program<C>, { color }: Io, all: boolean): Promise<string> {
  const table = commandsOf(program)
    .map(({ spec }) => spec)
    .filter(({ hidden }) => !hidden);
  return program.root && program.overview
    ? program.overview(specOf(program.root as AnyOperation), table, all)
    : (await import("./help.ts")).overview(program, table, createStyle(color));
}

const asksJson = (argv: readonly string[]): boolean =>
  argv.slice(0, Math.max(0, argv.indexOf("--")) || argv.length).includes("--json");

/** A line that the program refuses before it reads it: reported like every other failure. */
export async function refuseLine<C>(
  failure: Failure,
  argv: readonly string[],
  program: Program<C>,
  io: Io,
): Promise<number> {
  const { reportFailure } = await import("./failure-report.ts");
  return await reportFailure(new FailureError(failure), io, asksJson(argv), program);
}

export async function runProgram<C>(argv: readonly string[], program: Program<C>, deps: ProgramDeps): Promise<number> {
  const { io } = deps;
  const json = asksJson(argv);
  const print = (fields: object) => {
    const [text = ""] = Object.values(fields).map(String);
    io.out(json ? `${JSON.stringify({ schemaVersion: 1, ok: true, ...fields })}\n` : `${text.trimEnd()}\n`);
    return exitCodes.ok;
  };
  try {
    const style = createStyle(io.color && !json);
    const commands = commandsOf(program);
    const table = commands.map(({ spec }) => spec);
    const [first = "-"] = argv;
    if (program.root && (first === "" || first.startsWith("-") || program.isForRoot?.(first) === true))
      return await runRoot(program, program.root, argv, deps, print);
    const asked = await askedOfProgram(argv, program, table, deps, style);
    if (asked) return print(asked);
    const { spec, rest } = findCommand(program.name, table, argv, 0, program.isForRoot !== undefined);
    const parsed = parseCommand(program.name, spec, rest, program.common);
    if (parsed.flags.on("help")) return print({ help: await helpOfCommand(program, table, spec, style) });
    const command = commands.find((candidate) => candidate.spec === spec);
    if (!command) throw new TypeError(`no operation for ${spec.name}`);
    return await runCommand(program, command, parsed, deps);
  } catch (error) {
    const { afterFailure } = await import("./failure-report.ts");
    return afterFailure(error, argv, program, deps, runProgram<C>);
  }
}
