// The door to the shapes of setting up, and to the way a value of a configuration is named.
export type * from "./crew.ts";
export { keyPath } from "./setup.ts";
export type * from "./setup.ts";
