// The door of this room: one thing that can be asked for is one operation, whatever the surface.
export { operations } from "./all.ts";
export { perform, type Caller } from "./perform.ts";
export type * from "./context/index.ts";
export { advanceDetached, advanceHere } from "./run-data/advance.ts";
export { readTools } from "./repo/read-tools.ts";
