// The line of a configuration file on which a value is set.
import { existsSync, readFileSync } from "node:fs";
import { findNodeAtLocation, parseTree } from "jsonc-parser";

/** Counted from 1; undefined where the file does not set it. */
export function lineOf(file: string, path: readonly string[]): number | undefined {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, "utf8");
  const root = parseTree(text);
  const node = root && findNodeAtLocation(root, [...path]);
  return node ? text.slice(0, (node.parent ?? node).offset).split("\n").length : undefined;
}
