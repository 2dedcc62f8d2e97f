// The door of the queue of one machine: its processes, and the unit that serves it.
export { startWork } from "./work.ts";
export { unitText } from "./unit.ts";
