// A rule examines one kind of file. Its path patterns select the files; it gets the text and reports findings.
import { isRecord } from "../../../core/contract/index.ts";
import { parse } from "jsonc-parser";
import { shown, type FindingKind, type ReportFinding, type Severity } from "../finding.ts";

export interface FileRule {
  /** Against the path below the folder, with `/`. Of several, any is enough. */
  readonly path: RegExp | readonly RegExp[];
  /** It searches for hidden or unusual text only, and does not report what the file is for. */
  readonly onlyHidden?: true;
  readonly look: (text: string, report: ReportFinding, path: string) => void;
}

/** A file whose mere presence is the finding. */
export function presence(
  path: RegExp,
  kind: FindingKind,
  severity: Severity,
  what: string,
  why: string,
  remedy = "Read it before you let anything run here.",
): FileRule {
  return { path, look: (_text, report) => report({ kind, severity, what, why, remedy }) };
}

/** A file that is made to break its readers. */
export class TooDeep extends Error {}

const deepest = 200;

function insistShallow(text: string): void {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[{}\]]/g)) {
    depth += bracket === "[" || bracket === "{" ? 1 : -1;
    if (depth > deepest) throw new TooDeep();
  }
}

/** The value of a JSON file with comments, as far as it can be read. Throws TooDeep. */
export function readJsonFile(text: string): unknown {
  insistShallow(text);
  return parse(text, [], { allowTrailingComma: true, disallowComments: false });
}

export const field = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);

/** Lines `key = value` or `key: value` of TOML, INI or YAML, with their section. No nesting is followed. */
export function readLines(text: string): { section: string; key: string; value: string }[] {
  const found: { section: string; key: string; value: string }[] = [];
  let section = "";
  for (const line of text.split(/\r?\n/).slice(0, 20_000)) {
    const header = /^\s*\[+\s*([^\]]+?)\s*\]+\s*(?:#.*)?$/.exec(line);
    if (header) section = header[1] ?? "";
    const pair = /^\s*-?\s*"?([A-Za-z0-9_.@:/-]+?)"?\s*[:=]\s*(.*)$/.exec(line);
    if (pair && !/^\s*#/.test(line)) found.push({ section, key: pair[1] ?? "", value: pair[2] ?? "" });
  }
  return found;
}

/** Walks a JSON value and reports every string (or list) under one of these keys, bounded. */
export function everyKey(
  value: unknown,
  keys: ReadonlySet<string>,
  visit: (key: string, value: unknown, trail: readonly string[]) => void,
  trail: readonly string[] = [],
): void {
  if (trail.length > 12) return;
  if (Array.isArray(value)) for (const item of value.slice(0, 500)) everyKey(item, keys, visit, trail);
  if (!isRecord(value)) return;
  for (const [key, inner] of Object.entries(value).slice(0, 2000)) {
    if (keys.has(key)) visit(key, inner, trail);
    everyKey(inner, keys, visit, [...trail, key]);
  }
}

export const list = (names: readonly string[]) => shown(names.slice(0, 8).join(", "), 200);
