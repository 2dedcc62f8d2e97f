// The door to the queue of this machine.
export { openQueueFile } from "./file.ts";
