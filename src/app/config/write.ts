// Changes one value of a configuration file, keeping the user's comments, and never leaves half a file.
import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { applyEdits, modify, type JSONPath } from "jsonc-parser";
import type { z } from "zod";
import { systemCode, writeDurably } from "../../system/index.ts";
import { parseJsonc } from "./read-jsonc.ts";

/** The result is checked by the schema before it is written: a change that would break the file changes nothing. */
export function setConfigValue(path: string, schema: z.ZodType, key: JSONPath, value: unknown): void {
  let before = '{\n  "version": 1\n}\n';
  try {
    before = readFileSync(path, "utf8");
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
  }
  parseJsonc(before, path, schema);
  const options = { formattingOptions: { insertSpaces: true, tabSize: 2 } };
  const after = applyEdits(before, modify(before, key, value, options));
  parseJsonc(after, path, schema);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeDurably(path, `${path}.${process.pid}.new`, Buffer.from(after.endsWith("\n") ? after : `${after}\n`));
}
