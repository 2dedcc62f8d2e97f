// The door of the operations on runs.
export { answerGate, gateToAnswer, type Answer } from "./answer.ts";
export { parseInput } from "../parse.ts";
export { startRun, type StartRun, type StartRunInput } from "./start.ts";
