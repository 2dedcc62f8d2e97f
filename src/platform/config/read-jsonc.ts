// Reads a JSON file with comments and checks it by a schema; every mistake is named with its line and column.
import {
  findNodeAtLocation,
  parseTree,
  printParseErrorCode,
  getNodeValue,
  type ParseError,
  type Node,
} from "jsonc-parser";
import type { z } from "zod";
import { fail, FailureError } from "../../core/contract/index.ts";
import { describeIssue } from "./describe-issue.ts";
import { configText } from "./text.ts";

/** The parsed file, or undefined when there is none. */
export function readJsonc<T>(path: string, schema: z.ZodType<T>): T | undefined {
  let text: string;
  try {
    text = configText(path);
  } catch (error) {
    if (error instanceof FailureError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    return fail("invalid_config", `Cannot read ${path} (${code}).`, {
      remedy: "Make the file readable, or remove it.",
    });
  }
  return parseJsonc(text, path, schema);
}

const mostLevels = 64;

/** The place where the text goes deeper than any configuration does. The parser would run out of stack. */
function tooDeep(text: string): number | undefined {
  let level = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:\\.|[^"\\\n])*"|\/\/.*|\/\*[^]*?\*\/|[[\]{}]/g)) {
    if (token === "{" || token === "[") level += 1;
    else if (token === "}" || token === "]") level -= 1;
    if (level > mostLevels) return index;
  }
  return undefined;
}

/** The second place of a key: a person would read the first one, and a program would take the last one. */
function repeated(node: Node): Node | undefined {
  const keys = node.type === "object" ? (node.children ?? []).map(({ children }) => children?.[0]) : [];
  const names = keys.map((key) => String(key?.value));
  const second = keys.find((_, index) => names.indexOf(names[index] ?? "") < index);
  if (second) return second;
  for (const child of node.children ?? []) {
    const found = repeated(child);
    if (found) return found;
  }
  return undefined;
}

export function parseJsonc<T>(text: string, path: string, schema: z.ZodType<T>): T {
  const deep = tooDeep(text);
  if (deep !== undefined) return refuse(path, text, deep, `more than ${mostLevels} levels of brackets`);
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
  const twice = repeated(root);
  if (twice) return refuse(path, text, twice.offset, `the key "${twice.value}" is there twice`);
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
