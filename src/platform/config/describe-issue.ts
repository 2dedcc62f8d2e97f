// A mistake in a configuration file in plain words, with the nearest known name for a misspelt one.
import { z } from "zod";
import { nearest } from "../../core/contract/index.ts";

/** The schema at a path: through optional and default values, objects, records and lists. */
function schemaAt(schema: z.ZodType, [first, ...rest]: readonly PropertyKey[]): z.ZodType | undefined {
  const bare = unwrapped(schema);
  if (first === undefined) return bare;
  const inner =
    bare instanceof z.ZodObject
      ? (bare.shape as Readonly<Record<string, z.ZodType>>)[String(first)]
      : bare instanceof z.ZodRecord
        ? (bare.valueType as z.ZodType)
        : bare instanceof z.ZodArray
          ? (bare.element as z.ZodType)
          : undefined;
  return inner && schemaAt(inner, rest);
}

function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) return unwrapped(schema.in as z.ZodType);
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema;
}

const kinds: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "an object in braces",
  record: "an object in braces",
};

function unknownKey(keys: readonly string[], where: string, at: z.ZodType | undefined): string {
  const known = at instanceof z.ZodObject ? Object.keys(at.shape as object) : [];
  const near = nearest(keys[0] ?? "", known);
  const message = `unknown key ${keys.map((key) => `"${key}"`).join(", ")}${where ? ` in ${where}` : ""}`;
  return near ? `${message}; did you mean "${near}"?` : message;
}

/** A number has a size, a text a length, a list entries. */
function bound(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  const least = issue.code === "too_small";
  const limit = String(least ? issue.minimum : issue.maximum);
  const side = least ? "at least" : "at most";
  if (issue.origin === "string")
    return least && limit === "1" ? "must not be empty" : `must have ${side} ${limit} characters`;
  if (issue.origin === "array" || issue.origin === "set")
    return least && limit === "1" ? "must not be empty" : `must have ${side} ${limit} entries`;
  const more = issue.inclusive === false ? (least ? "greater than" : "less than") : side;
  return `must be ${more} ${limit}`;
}

function describe(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${kinds[issue.expected] ?? issue.expected}`;
    case "too_small":
    case "too_big":
      return bound(issue);
    case "invalid_value":
      return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}`;
    case "invalid_format":
      return "has a form that is not allowed";
    case "invalid_key":
      return "has a name that is not allowed";
    default:
      return issue.message;
  }
}

export function describeIssue(issue: z.core.$ZodIssue, schema: z.ZodType): string {
  const where = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") return unknownKey(issue.keys, where, schemaAt(schema, issue.path));
  return where ? `${where} ${describe(issue)}` : describe(issue);
}
