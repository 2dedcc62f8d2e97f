// The door to the shapes of setting up: types only, nothing is loaded for them.
export type * from "./access.ts";
export type * from "./crew.ts";
export type * from "./hosts.ts";
export type * from "./setup.ts";
