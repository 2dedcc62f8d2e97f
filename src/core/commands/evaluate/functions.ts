// Functions of a line: which are surely there when they are called, and what their bodies are up to.
import { type Tree, descend } from "./tree.ts";

export function functionName(node: Tree, text: string): string {
  const word = node.children.find((child) => child.type === "word");
  return word ? text.slice(word.start, word.end) : "";
}

/** Defined by a statement of the line itself, not below a condition or in another shell, and never taken back. What is
 * not sure may be a program of the same name. */
export function sureFunctions(root: Tree, text: string): Map<string, number> {
  const sure = new Map<string, number>();
  if (/\bunset\b/.test(text)) return sure;
  for (const node of root.children)
    if (node.type === "function_definition") sure.set(functionName(node, text), node.end);
  return sure;
}

const calls = (body: Tree) => [...descend(body)].filter((child) => child.type === "command_name");

export function isForkBomb(name: string, body: Tree, text: string): boolean {
  const recursive = calls(body).some((call) => text.slice(call.start, call.end) === name);
  return recursive && [...descend(body)].some((child) => child.type === "pipeline" || child.type === "&");
}

export const callsItsArguments = (body: Tree, text: string) =>
  calls(body).some((call) => /^"?\$(\{?[@*1])/.test(text.slice(call.start, call.end)));
