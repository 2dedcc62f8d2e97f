// The door to the live view of a run that advances in this process, and to the decision at its gates.
export { advanceLive, askAtGate } from "./advance.ts";
export { askSecret } from "./secret.ts";
