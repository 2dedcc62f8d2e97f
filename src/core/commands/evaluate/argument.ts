// The findings of a single node of the syntax tree, independent of its position, and the variable that it expands.
import type { CommandClass } from "../../contract/index.ts";
import type { Tree } from "./tree.ts";

interface NodeFinding {
  readonly class: CommandClass;
  readonly why: string;
}

const unknown = (why: string): NodeFinding => ({ class: "unknown", why });

export function judgeArgument(node: Tree, text: string): NodeFinding[] {
  const own = text.slice(node.start, node.end);
  switch (node.type) {
    case "heredoc_redirect":
    case "heredoc_body":
      return [unknown("A here-document that cannot be followed")];
    case "comment":
      return isComment(node, text) ? [] : [unknown("A text that looks like a comment may be part of a word")];
    case "expansion":
      return expansion(own.trim());
    case "test_command":
      return /\[[^\]]*(\$\(|`)/.test(own.slice(2)) && /'[^']*(\$\(|`)/.test(own)
        ? [unknown("A test that can run code hidden in a subscript")]
        : [];
    default:
      return [];
  }
}

function isComment(node: Tree, text: string): boolean {
  const before = text[node.start - 1];
  return before === undefined || (/[\s;&|()]/.test(before) && text[node.start - 2] !== "\\");
}

function expansion(own: string): NodeFinding[] {
  if (own.endsWith("@P}")) return [unknown("The value is run as a prompt, which can hold commands")];
  // The keys of an array.
  if (/^\$\{!\w+\[[@*]\]\}$/.test(own)) return [];
  if (/^\$\{!\w+[^@*\w]/.test(own)) return [unknown("Which variable is meant is only known when it runs")];
  return [];
}

/** The name in `$x` and `${x…}`. */
export function variableIn(node: Tree, text: string): string | undefined {
  if (node.type !== "simple_expansion" && node.type !== "expansion") return undefined;
  const name = node.children.find((child) => child.type === "variable_name");
  return name && text.slice(name.start, name.end);
}
