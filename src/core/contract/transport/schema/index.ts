// The transport's shapes as schemas: parsed where they enter, trusted inside.
export * from "./options.ts";
export * from "./request.ts";
export * from "./result.ts";
export * from "./session.ts";
export * from "./tools.ts";
