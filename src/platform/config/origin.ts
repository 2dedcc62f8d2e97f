// The line of a configuration file on which a value is set.
import { existsSync } from "node:fs";
import { findNodeAtLocation, parseTree } from "jsonc-parser";
import { configText } from "./text.ts";

/** Counted from 1; undefined where the file does not set it. */
export function lineOf(file: string, path: readonly string[]): number | undefined {
  if (!existsSync(file)) return undefined;
  const text = configText(file);
  const root = parseTree(text);
  const node = root && findNodeAtLocation(root, [...path]);
  return node ? text.slice(0, (node.parent ?? node).offset).split("\n").length : undefined;
}
