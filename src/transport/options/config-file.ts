// Reads a config file (JSON with comments) and says of every mistake where it stands: file, line, column.
import { existsSync, readFileSync } from "node:fs";
import { type Node, type ParseError, findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode } from "jsonc-parser";
import type { z } from "zod";
import { fail } from "../../contract/index.ts";

function place(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return `line ${line}, column ${offset - before.lastIndexOf("\n")}`;
}

/** The offset of a key, or of the value when the path leads to one. */
function offsetOf(tree: Node, path: readonly PropertyKey[], key?: string): number {
  const segments = path.filter((part): part is string | number => typeof part !== "symbol");
  const node = findNodeAtLocation(tree, key === undefined ? segments : [...segments, key]) ?? tree;
  return node.parent?.type === "property" ? node.parent.offset : node.offset;
}

function duplicateKey(node: Node): Node | undefined {
  const seen = new Set<unknown>();
  for (const child of node.children ?? []) {
    if (child.type === "property") {
      const name = child.children?.[0]?.value as unknown;
      if (seen.has(name)) return child;
      seen.add(name);
    }
    const deeper = duplicateKey(child);
    if (deeper) return deeper;
  }
  return undefined;
}

export function readConfig<T>(path: string, schema: z.ZodType<T>, kind: string): T | undefined {
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, "utf8").replace(/^\u{feff}/u, "");
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const first = errors[0];
  const bad = (offset: number, why: string): never =>
    fail("invalid_config", `${path}, ${place(text, offset)}: ${why}`, {
      remedy: `Correct that place; the keys of a ${kind} config are listed in docs/oracle.md.`,
    });
  if (first) return bad(first.offset, printParseErrorCode(first.error));
  if (!tree) return bad(0, "the file is empty");
  const twice = duplicateKey(tree);
  if (twice) return bad(twice.offset, `the key "${String(twice.children?.[0]?.value)}" stands twice`);
  const parsed = schema.safeParse(getNodeValue(tree));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue?.code === "unrecognized_keys") {
    const key = issue.keys[0] ?? "";
    return bad(offsetOf(tree, issue.path, key), `a ${kind} config has no key "${key}"`);
  }
  return bad(offsetOf(tree, issue?.path ?? []), issue?.message ?? "does not fit");
}
