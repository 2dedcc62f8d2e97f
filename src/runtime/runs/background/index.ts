// The door to runs that advance in processes of their own.
export { advanceDetached } from "./advance.ts";
export { startedHere } from "./started.ts";
