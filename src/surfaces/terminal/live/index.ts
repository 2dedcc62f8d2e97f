// The door to a run that moves in this process, and to the decision at its gates.
export { advanceLive, type Advancing } from "./advance.ts";
export { askAtGate, type Asked } from "./ask.ts";
