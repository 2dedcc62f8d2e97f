// The door to defining operations: fields, the literal, and everything that is derived from them.
export * from "./fields.ts";
export { annotationsOf, defineFor, type AnyOperation, type Annotations, type NowIn, type Operation } from "./define.ts";
export { accepted, parseFields, type FieldRefusal } from "./parse.ts";
export { objectSchema, outputSchema, type OutputShape } from "./json-schema.ts";
export { cliName, defaultsElsewhere, fieldsOn, fromMcp, mcpFields, mcpName } from "./spell.ts";
