// The schemas of a tool, from the fields of its operation and of its result. They are small, because every conversation
// contains them: a limit is named when a call breaks it.
import { mcpFields, mcpName } from "./spell.ts";
import type { Field, Fields } from "./fields.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

function kindOf(field: Field): JsonSchema {
  switch (field.kind) {
    case "text":
      if (field.orNumber) return { anyOf: [{ type: "string" }, { type: "number" }] };
      return { type: "string", ...(field.max === undefined ? {} : { maxLength: field.max }) };
    case "whole":
    case "number":
      return {
        type: field.kind === "whole" ? "integer" : "number",
        ...(field.min === undefined ? {} : { minimum: field.min }),
        ...(field.max === undefined ? {} : { maximum: field.max }),
        ...(field.positive ? { exclusiveMinimum: 0 } : {}),
      };
    case "flag":
      return { type: "boolean" };
    case "choice":
      return { type: "string", enum: field.values };
    case "list":
      return {
        type: "array",
        items: schemaOf(field.of),
        ...(field.min === undefined ? {} : { minItems: field.min }),
        ...(field.max === undefined ? {} : { maxItems: field.max }),
      };
    case "record":
      return { type: "object", additionalProperties: kindOf(field.of) };
    case "shape":
      return objectSchema(field.fields);
    case "anything":
    case "source":
      return {};
  }
}

/** An empty text or list as the default tells nothing. */
const tells = (value: unknown): boolean =>
  value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);

function schemaOf(field: Field): JsonSchema {
  return {
    ...kindOf(field),
    ...(tells(field.default) ? { default: field.default } : {}),
    ...(field.mcp?.about === undefined ? {} : { description: field.mcp.about }),
  };
}

export function objectSchema(fields: Fields): JsonSchema {
  const shown = Object.entries(mcpFields(fields));
  const required = shown
    .filter(([, field]) => !field.optional && !("default" in field))
    .map(([name, field]) => mcpName(name, field));
  return {
    type: "object",
    properties: Object.fromEntries(shown.map(([name, field]) => [mcpName(name, field), schemaOf(field)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

type Kind = "string" | "number" | "boolean" | "array" | "object";

/** The JSON type of a field. `?` ends one that may be missing; `any` is every type. */
export type OutputShape = Readonly<Record<string, `${Kind | `${Kind}|null` | "any"}${"" | "?"}`>>;

const everyType = ["string", "number", "boolean", "array", "object", "null"];

/** A list of types is legal, and some clients that map schemas onto another dialect drop it. */
function typeOf(kind: string): JsonSchema {
  const named = kind.replace("?", "");
  const types = named === "any" ? everyType : named.split("|");
  return types.length === 1 ? { type: types[0] } : { anyOf: types.map((type) => ({ type })) };
}

export function outputSchema(fields: OutputShape): JsonSchema {
  const entries = Object.entries(fields);
  const required = entries.filter(([, kind]) => !kind.endsWith("?")).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, kind]) => [name, typeOf(kind)])),
    ...(required.length > 0 ? { required } : {}),
  };
}
