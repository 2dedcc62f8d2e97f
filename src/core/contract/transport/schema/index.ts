// The entry to the schemas of the transport.
export * from "./options.ts";
export * from "./request.ts";
export * from "./result.ts";
export * from "./session.ts";
export * from "./tools.ts";
