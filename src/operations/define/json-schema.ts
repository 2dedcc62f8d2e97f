// The input schema of a tool from the fields of its operation: as lean as a client needs to call it well, because its
// bytes are in every conversation. Limits that a mistake would run into are told when they are run into.
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
