// Reads a JSON file with comments and checks it by a schema; every mistake is named with its line and column.
import { readFileSync, statSync, existsSync } from "node:fs";
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
import { systemCode } from "../system/index.ts";
import { describeIssue } from "./describe-issue.ts";

const mostBytes = 4_194_304;

/** Some editors begin a file with a byte order mark; it is not part of the text. */
export function configText(path: string): string {
  const found = statSync(path);
  // Reading a folder fails with its own message below.
  if (!found.isFile() && !found.isDirectory())
    fail("invalid_config", `${path} is not a regular file.`, {
      remedy: "Put a file in its place, or remove it.",
    });
  if (found.size > mostBytes)
    fail("invalid_config", `${path} has ${found.size} bytes; a configuration has at most ${mostBytes}.`, {
      remedy: "Make it shorter; nothing was changed.",
    });
  return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
}

/** Content that is not ours, although the file has the name of one of ours. */
type IsForeign = (value: unknown) => boolean;

/** The parsed file; undefined when it does not exist, or is not ours by its content. */
export function readJsonc<T>(
  path: string,
  schema: z.ZodType<T>,
  isForeign?: IsForeign,
  plain: (text: string) => string = (text) => text,
): T | undefined {
  let text: string;
  try {
    text = plain(configText(path));
  } catch (error) {
    if (error instanceof FailureError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    return fail("invalid_config", `Cannot read ${path} (${code}).`, {
      remedy: "Make the file readable, or remove it.",
    });
  }
  const root = parseRoot(text, path);
  return isForeign?.(getNodeValue(root)) === true ? undefined : checkRoot(root, text, path, schema);
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

export const parseJsonc = <T>(text: string, path: string, schema: z.ZodType<T>): T =>
  checkRoot(parseRoot(text, path), text, path, schema);

function parseRoot(text: string, path: string): Node {
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
  return root;
}

function checkRoot<T>(root: Node, text: string, path: string, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(getNodeValue(root));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (!issue) throw new Error("a schema refused without saying why");
  return refuse(path, text, offsetOf(root, issue), describeIssue(issue, schema));
}

/** `ValueExpected` → `value expected`. */
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

/** Counted from 1; undefined where the file does not set it. */
export function lineOf(file: string, path: readonly string[]): number | undefined {
  if (!existsSync(file)) return undefined;
  const text = configText(file);
  const root = parseTree(text);
  const node = root && findNodeAtLocation(root, [...path]);
  return node ? text.slice(0, (node.parent ?? node).offset).split("\n").length : undefined;
}

interface Parsed {
  readonly mark: string | undefined;
  readonly value: unknown;
}

/** Another mark means another content: every writer that we know of leaves another inode or time. */
function markOf(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false, bigint: true });
    return found ? `${found.dev}:${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}` : "none";
  } catch (error) {
    // The reader reports the problem of the file on every read.
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/** The parsed file, or `otherwise` when it does not exist. */
type ConfigReader = <T>(path: string, schema: z.ZodType<T>, otherwise: T, isForeign?: IsForeign) => T;

/** `plain` turns another notation into JSON. */
export function createConfigReader(plain?: (text: string) => string): ConfigReader {
  const parsed = new Map<string, Parsed>();
  return <T>(path: string, schema: z.ZodType<T>, otherwise: T, isForeign?: IsForeign): T => {
    const mark = markOf(path);
    const known = parsed.get(path);
    // One path has one schema, so that the value kept for it has the type that is asked for.
    if (mark !== undefined && known?.mark === mark) return known.value as T;
    const value = readJsonc(path, schema, isForeign, plain) ?? otherwise;
    parsed.set(path, { mark, value });
    return value;
  };
}
