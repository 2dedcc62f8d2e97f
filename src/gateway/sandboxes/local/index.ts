// The door to local boxes.
export { localBoxes } from "./provider.ts";
