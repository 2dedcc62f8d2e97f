// The door to the command line of any program: argv, help, completions and exit codes, derived from operations.
export { commandsOf, refuseLine, runProgram } from "./run.ts";
export { inputLines } from "./input.ts";
export { leadingWords } from "./parse.ts";
export { commonOptions, type ArgumentSpec, type CommandSpec, type Io, type OptionSpec } from "./spec.ts";
export { createStyle, type Style } from "./style.ts";
export { storedHelp } from "./stored-help.ts";
export type { ProgramCall, Program, Renderer, Rendering } from "./program.ts";
