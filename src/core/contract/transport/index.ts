// The transport's types, ports and plain data. Schemas are behind schema/index.ts.
export * from "./api-homes.ts";
export * from "./blank.ts";
export * from "./engine.ts";
export * from "./options.ts";
export type * from "./port.ts";
export type * from "./schema/index.ts";
export * from "./text.ts";
