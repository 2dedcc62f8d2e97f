// The door to a run that moves in this process, and to the decision at its gates.
export { advanceLive } from "./advance.ts";
export { askAtGate } from "./ask.ts";
