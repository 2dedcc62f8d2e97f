// Parses the input of an operation at its door; the failure names the field in words, and what was probably meant.
import { z } from "zod";
import { fail, isAssignmentPattern, type Failure } from "../contract/index.ts";
import { nearest } from "../contract/nearest/index.ts";

type Issue = z.core.$ZodIssue;

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null ? (inner as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  );

function remedyFor(issue: Issue | undefined, value: unknown): Pick<Failure, "remedy" | "suggestions"> {
  if (issue?.code === "invalid_format" && isAssignmentPattern(issue.pattern))
    return {
      remedy: "Write provider:model. Nothing was changed. See what can be assigned here",
      suggestions: [{ suggest: "models" }],
    };
  return { remedy: textFor(issue, value) };
}

function textFor(issue: Issue | undefined, value: unknown): string {
  const usual = "See --help for what is accepted; nothing was changed.";
  if (!issue) return usual;
  if (issue.code === "invalid_value") {
    const given = at(value, issue.path);
    const near = typeof given === "string" ? nearest(given, issue.values.map(String)) : undefined;
    return near ? `Did you mean ${near}? Nothing was changed.` : usual;
  }
  if (issue.code === "unrecognized_keys") return `Take out ${issue.keys.join(", ")}. Nothing was changed.`;
  return usual;
}

export function parseInput<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue?.path.map(String).join(".");
  return fail(
    "invalid_input",
    `${what}: ${where ? `${where}: ` : ""}${issue?.message ?? "invalid"}.`,
    remedyFor(issue, value),
  );
}
