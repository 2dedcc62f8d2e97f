// Parses the input of an operation at its door; the failure names the field in words.
import { z } from "zod";
import { fail } from "../contract/index.ts";

export function parseInput<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue?.path.map(String).join(".");
  return fail("invalid_input", `${what}: ${where ? `${where}: ` : ""}${issue?.message ?? "invalid"}.`, {
    remedy: "See --help for what is accepted; nothing was changed.",
  });
}
