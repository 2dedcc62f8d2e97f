// The output schema of a tool from the fields of its result: one word for each, as lean as the input schema is.
import type { JsonSchema } from "./json-schema.ts";

type Kind = "string" | "number" | "boolean" | "array" | "object";

/** The JSON type of a field. `?` ends one that may be missing; `any` is every type. */
export type Told = Readonly<Record<string, `${Kind | `${Kind}|null` | "any"}${"" | "?"}`>>;

function kindOf(word: string): JsonSchema {
  const [first, ...more] = word.replace("?", "").split("|");
  if (first === "any") return {};
  return { type: more.length === 0 ? first : [first, ...more] };
}

export function toldSchema(told: Told): JsonSchema {
  const fields = Object.entries(told);
  const required = fields.filter(([, word]) => !word.endsWith("?")).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, word]) => [name, kindOf(word)])),
    ...(required.length > 0 ? { required } : {}),
  };
}
