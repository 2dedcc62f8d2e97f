// The door to the shapes of setting up, and to the way a value of a configuration is named.
export type * from "./access.ts";
export type * from "./crew.ts";
export type * from "./hosts.ts";
export type * from "./setup.ts";
export { keyPath } from "./key-path.ts";
