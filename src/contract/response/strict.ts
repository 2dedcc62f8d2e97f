// The strict dialect of JSON Schema that models' servers can enforce: every field required, what may be absent is null.

type Schema = Readonly<Record<string, unknown>>;

/** What those servers know. Lengths and counts are for us to check. */
const kept = new Set([
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

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A schema in which an optional field is one that may be null. `withoutNulls` takes such nulls out of an answer again. */
export function strictSchema(schema: Schema): Record<string, unknown> {
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const strict: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === "oneOf") strict["anyOf"] = listOf(value);
    else if (!kept.has(key)) continue;
    else if (key === "properties" && isSchema(value)) strict[key] = propertiesOf(value, required);
    else if (key === "$defs" && isSchema(value))
      strict[key] = propertiesOf(value, new Set(Object.keys(value)));
    else if (key === "anyOf") strict[key] = listOf(value);
    else if (key === "items" && isSchema(value)) strict[key] = strictSchema(value);
    else strict[key] = value;
  }
  if (!isSchema(strict["properties"])) return strict;
  return { ...strict, required: Object.keys(strict["properties"]), additionalProperties: false };
}

const listOf = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((one: unknown) => (isSchema(one) ? strictSchema(one) : one)) : value;

function propertiesOf(properties: Schema, required: ReadonlySet<unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => {
      const strict = isSchema(value) ? strictSchema(value) : value;
      return [name, required.has(name) ? strict : { anyOf: [strict, { type: "null" }] }];
    }),
  );
}

/** A field that is null is a field left out: no contract of ours gives null a meaning. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isSchema(value)) return value;
  const said = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(said.map(([name, field]) => [name, withoutNulls(field)]));
}
