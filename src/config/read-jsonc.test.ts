import { describe, expect, it } from "vitest";
import { z } from "zod";
import { FailureError } from "../contract/index.ts";
import { parseJsonc } from "./read-jsonc.ts";

const schema = z.strictObject({
  version: z.literal(1),
  roles: z.strictObject({ qa: z.string() }).optional(),
});

function refused(text: string): string {
  try {
    parseJsonc(text, "config.json", schema);
  } catch (error) {
    if (error instanceof FailureError) return error.failure.message;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("a configuration file", () => {
  it("may hold comments and a trailing comma", () => {
    expect(parseJsonc('{\n// yes\n"version": 1,\n}', "config.json", schema)).toEqual({ version: 1 });
  });

  it.each([
    ['{\n  "version": 1,\n  "rolse": {}\n}', 'config.json:3:3: unknown key "rolse"'],
    ['{\n  "version": 1,\n  "roles": { "qa": 7 }\n}', "config.json:3:20: roles.qa"],
    ['{\n  "version": 1,\n  "roles": {\n}', "config.json:4:2: close brace expected"],
    ['{ "version": 2 }', "config.json:1:14: version"],
    ["", "config.json:1:1"],
  ])("is refused with line and column: %j", (text, message) => {
    expect(refused(text)).toContain(message);
  });
});
