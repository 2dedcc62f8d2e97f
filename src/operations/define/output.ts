// The output schema of a tool from the fields of its result: one word for each, as lean as the input schema is.
import type { JsonSchema } from "./json-schema.ts";

type Kind = "string" | "number" | "boolean" | "array" | "object";

/** The JSON type of a field. `?` ends one that may be missing; `any` is every type. */
export type OutputShape = Readonly<Record<string, `${Kind | `${Kind}|null` | "any"}${"" | "?"}`>>;

const everyType = ["string", "number", "boolean", "array", "object", "null"];

/** A list of types is legal, and some clients that map schemas onto another dialect drop it. */
function kindOf(word: string): JsonSchema {
  const named = word.replace("?", "");
  const types = named === "any" ? everyType : named.split("|");
  return types.length === 1 ? { type: types[0] } : { anyOf: types.map((type) => ({ type })) };
}

export function outputSchema(told: OutputShape): JsonSchema {
  const fields = Object.entries(told);
  const required = fields.filter(([, word]) => !word.endsWith("?")).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, word]) => [name, kindOf(word)])),
    ...(required.length > 0 ? { required } : {}),
  };
}
