// The door of the terminal: the screen of all runs, and the decision at a gate.
export { openTop, type TopOptions } from "./desk/top.ts";
