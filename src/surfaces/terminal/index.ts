// The door of the terminal: the screen of all runs, a run that moves while a person looks on, and the decision at a gate.
export { openTop } from "./interactive/top.ts";
