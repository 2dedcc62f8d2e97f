// The door to local boxes.
export { localBoxes, type LocalOptions } from "./provider.ts";
