// Reads a JSON file with comments and checks it by a schema; every mistake is named with its line and column.
import { readFileSync } from "node:fs";
import {
  findNodeAtLocation,
  parseTree,
  printParseErrorCode,
  getNodeValue,
  type ParseError,
  type Node,
} from "jsonc-parser";
import type { z } from "zod";
import { fail } from "../contract/index.ts";
import { describeIssue } from "./issue-words.ts";

/** The parsed file, or undefined when there is none. */
export function readJsonc<T>(path: string, schema: z.ZodType<T>): T | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    return fail("invalid_config", `Cannot read ${path} (${code}).`, {
      remedy: "Make the file readable, or remove it.",
    });
  }
  return parseJsonc(text, path, schema);
}

export function parseJsonc<T>(text: string, path: string, schema: z.ZodType<T>): T {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const broken = errors[0];
  if (broken || !root)
    return refuse(
      path,
      text,
      broken?.offset ?? 0,
      broken ? spelled(printParseErrorCode(broken.error)) : "the file is empty",
    );
  const parsed = schema.safeParse(getNodeValue(root));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (!issue) throw new Error("a schema refused without saying why");
  return refuse(path, text, offsetOf(root, issue), describeIssue(issue, schema));
}

/** `ValueExpected` as a person would say it. */
const spelled = (code: string): string => code.replaceAll(/\B[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();

function offsetOf(root: Node, issue: z.core.$ZodIssue): number {
  const keys = issue.path.map((key) => (typeof key === "number" ? key : String(key)));
  if (issue.code === "unrecognized_keys") {
    const value = findNodeAtLocation(root, [...keys, issue.keys[0] ?? ""]);
    return value?.parent?.offset ?? value?.offset ?? 0;
  }
  // A missing key has no place of its own: its nearest parent has.
  for (let length = keys.length; length >= 0; length -= 1) {
    const node = findNodeAtLocation(root, keys.slice(0, length));
    if (node) return node.offset;
  }
  return 0;
}

function refuse(path: string, text: string, offset: number, message: string): never {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  const column = offset - before.lastIndexOf("\n");
  fail("invalid_config", `${path}:${line}:${column}: ${message}`, {
    remedy: "Correct the file; nothing was changed.",
    details: { path, line, column },
  });
}
