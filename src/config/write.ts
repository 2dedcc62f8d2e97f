// Changes one value of a configuration file, keeping the user's comments, and never leaves half a file.
import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { applyEdits, findNodeAtLocation, modify, parseTree, type JSONPath } from "jsonc-parser";
import type { z } from "zod";
import { fail, FailureError } from "../contract/index.ts";
import { systemCode, writeDurably } from "../system/index.ts";
import { parseJsonc } from "./read-jsonc.ts";

function isSet(text: string, key: JSONPath): boolean {
  const root = parseTree(text);
  return root !== undefined && findNodeAtLocation(root, key) !== undefined;
}

/** The result is checked by the schema before it is written: a change that would break the file changes nothing. */
export function setConfigValue(path: string, schema: z.ZodType, key: JSONPath, value: unknown): void {
  let before = '{\n  "version": 1\n}\n';
  try {
    before = readFileSync(path, "utf8");
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOTDIR" || code === "EISDIR")
      fail("invalid_config", `${path} cannot be a file: something else is in its place.`, {
        remedy: "Look at THEHOOD_HOME and at what lies there; nothing was changed.",
      });
    if (code !== "ENOENT") throw error;
  }
  parseJsonc(before, path, schema);
  const spelled = key.join(".");
  if (value === undefined && !isSet(before, key))
    fail("not_found", `Nothing is set at ${spelled}.`, { remedy: "See what is set: thehood config" });
  const options = { formattingOptions: { insertSpaces: true, tabSize: 2 } };
  const after = applyEdits(before, modify(before, key, value, options));
  try {
    parseJsonc(after, path, schema);
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    // The file is as it was: the mistake is in what was typed, and lies on no line of it.
    const why = error.failure.message.replace(/^.*?:\d+:\d+: /s, "");
    fail("invalid_config", `${spelled} cannot be set like this: ${why}.`, {
      remedy: "Nothing was changed. See what is set: thehood config",
    });
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeDurably(path, `${path}.${process.pid}.new`, Buffer.from(after.endsWith("\n") ? after : `${after}\n`));
}
