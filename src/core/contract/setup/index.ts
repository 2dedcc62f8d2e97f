// The entry to the types of setup and to the parser of config keys.
export type * from "./crew.ts";
export type * from "./preview.ts";
export { keyPath } from "./setup.ts";
export type * from "./setup.ts";
