// The door of the terminal: the screen of all runs.
export { openTop } from "./interactive/top.ts";
