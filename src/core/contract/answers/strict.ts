// The strict dialect of JSON Schema that model servers can enforce: every field is required, an optional field may be null.
import { isRecord } from "../json.ts";

type Schema = Readonly<Record<string, unknown>>;

/** The keywords that those servers support. Lengths and counts are checked when the answer is parsed. */
const supportedKeywords = new Set([
  "type",
  "enum",
  "const",
  "description",
  "items",
  "properties",
  "anyOf",
  "$ref",
  "$defs",
]);

/** `null`: every field is required, and an optional one may be null. `absent`: an optional field stays optional. */
export type Optional = "null" | "absent";

/** A schema of the keywords that servers enforce. `withoutNulls` removes the nulls from an answer again. */
export function strictSchema(schema: Schema, optional: Optional = "null"): Record<string, unknown> {
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const strict: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === "oneOf") strict["anyOf"] = listOf(value, optional);
    else if (!supportedKeywords.has(key)) continue;
    else if (key === "properties" && isRecord(value)) strict[key] = propertiesOf(value, required, optional);
    else if (key === "$defs" && isRecord(value))
      strict[key] = propertiesOf(value, new Set(Object.keys(value)), optional);
    else if (key === "anyOf") strict[key] = listOf(value, optional);
    else if (key === "items" && isRecord(value)) strict[key] = strictSchema(value, optional);
    else strict[key] = value;
  }
  if (!isRecord(strict["properties"])) return strict;
  const needed = Object.keys(strict["properties"]).filter((name) => optional === "null" || required.has(name));
  return { ...strict, required: needed, additionalProperties: false };
}

const listOf = (value: unknown, optional: Optional): unknown =>
  Array.isArray(value) ? value.map((one: unknown) => (isRecord(one) ? strictSchema(one, optional) : one)) : value;

function propertiesOf(properties: Schema, required: ReadonlySet<unknown>, optional: Optional): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => {
      const strict = isRecord(value) ? strictSchema(value, optional) : value;
      return [name, required.has(name) || optional === "absent" ? strict : { anyOf: [strict, { type: "null" }] }];
    }),
  );
}

/** No contract is deeper. A deeper value could be meant to exhaust the stack. */
const deepest = 12;

/** Removes fields that are null: null means absent in every contract. */
export function withoutNulls(value: unknown, depth = 0): unknown {
  if (depth > deepest) return value;
  if (Array.isArray(value)) return value.map((one) => withoutNulls(one, depth + 1));
  if (!isRecord(value)) return value;
  const present = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(present.map(([name, field]) => [name, withoutNulls(field, depth + 1)]));
}
