// How each surface spells fields: `run_id` for a program, `--max-bytes` for a person, `runId` inside.
import { isRecord } from "../../core/contract/index.ts";
import type { Field, Fields } from "./fields.ts";

const apart = (name: string, sign: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `${sign}${letter.toLowerCase()}`);

export const mcpName = (name: string, field: Field): string => field.mcp?.name ?? apart(name, "_");
export const cliName = (name: string, field: Field): string => field.cli?.name ?? apart(name, "-");

/** The fields of one surface. */
export const fieldsOn = (surface: "cli" | "mcp", fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => field.only === undefined || field.only === surface));

/** The defaults of fields that only another surface takes. */
export const defaultsElsewhere = (surface: "cli" | "mcp", fields: Fields): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.only !== undefined && field.only !== surface && "default" in field ? [[name, field.default]] : [],
    ),
  );

/** The fields as a program meets them: its own limits, and what it must say. */
export const mcpFields = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fieldsOn("mcp", fields)).map(([name, field]) => {
      const { required, max } = field.mcp ?? {};
      const { optional: _, ...needed } = field;
      return [name, { ...(required ? (needed as Field) : field), ...(max === undefined ? {} : { max }) }];
    }),
  );

/** The arguments of a program under the names of the fields. A name that no field has stays, to be refused by name. */
export function fromMcp(fields: Fields, given: unknown): unknown {
  if (!isRecord(given)) return given;
  const known = new Map(Object.entries(fields).map(([name, field]) => [mcpName(name, field), name]));
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const own = known.get(name);
      if (own === undefined) return [Object.hasOwn(fields, name) ? `"${name}"` : name, value];
      return [own, fromMcpValue(fields[own], value)];
    }),
  );
}

function fromMcpValue(field: Field | undefined, value: unknown): unknown {
  if (field?.kind === "shape") return fromMcp(field.fields, value);
  if (field?.kind === "list" && Array.isArray(value))
    return value.map((entry: unknown) => fromMcpValue(field.of, entry));
  return value;
}
