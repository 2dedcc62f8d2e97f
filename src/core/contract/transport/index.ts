// The transport's words and ports: types and plain data only. Schemas stand behind schema/index.ts.
export * from "./api-homes.ts";
export * from "./blank.ts";
export type * from "./port.ts";
export type * from "./shelf.ts";
export type * from "./browser.ts";
export * from "./engine.ts";
export type * from "./schema/index.ts";
export * from "./options.ts";
export * from "./text.ts";
