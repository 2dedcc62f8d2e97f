// The door to the command line of `thehood`.
export { hoodProgram, lineOf, operationsFor } from "./program.ts";
export type { Io } from "../argv/index.ts";
