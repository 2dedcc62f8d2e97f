// Names at the boundary: clients say `run_id`, operations say `runId`. Keys of free records (roles, …) stay as they are.

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export type Names = Readonly<Record<string, string>>;

export const outside = (name: string, names: Names = {}): string => names[name] ?? snake(name);

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly [other: string]: unknown;
}

/** The schema as a client reads it. */
export function outsideSchema(schema: Schema, names?: Names): Schema {
  const { properties, required, items } = schema;
  return {
    ...schema,
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, inner]) => [outside(name, names), outsideSchema(inner)]),
          ),
        }
      : {}),
    ...(required ? { required: required.map((name) => outside(name, names)) } : {}),
    ...(items ? { items: outsideSchema(items) } : {}),
  };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A client's arguments as the operation wants them. What the schema does not know is passed on, to be refused by name. */
export function inside(value: unknown, schema: Schema, names?: Names): unknown {
  if (Array.isArray(value))
    return schema.items ? value.map((entry) => inside(entry, schema.items ?? {})) : value;
  const { properties } = schema;
  if (!isRecord(value) || !properties) return value;
  const known = new Map(Object.keys(properties).map((name) => [outside(name, names), name]));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const own = known.get(name);
      return own === undefined ? [name, inner] : [own, inside(inner, properties[own] ?? {})];
    }),
  );
}
