// A plain copy of the syntax tree, so that the walk needs no parser memory and can be followed in a debugger.
import type { SyntaxNode } from "../parser.ts";

export interface Tree {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly named: boolean;
  /** Put in by the parser where something was expected. */
  readonly missing: boolean;
  readonly children: readonly Tree[];
}

export interface TreeCopy {
  readonly root: Tree;
  readonly hasError: boolean;
}

const depthLimit = 400;
const nodeLimit = 20_000;

/** Undefined for a tree too deep or too big to walk. */
export function copyTree(root: SyntaxNode): TreeCopy | undefined {
  const cursor = root.walk();
  let left = nodeLimit;
  const copy = (depth: number): Tree | undefined => {
    left -= 1;
    if (depth > depthLimit || left < 0) return undefined;
    const { nodeType: type, startIndex: start, endIndex: end } = cursor;
    const { nodeIsNamed: named, nodeIsMissing: missing } = cursor;
    const children: Tree[] = [];
    if (cursor.gotoFirstChild()) {
      do {
        const child = copy(depth + 1);
        if (!child) return undefined;
        children.push(child);
      } while (cursor.gotoNextSibling());
      cursor.gotoParent();
    }
    return { type, start, end, named, missing, children };
  };
  try {
    const tree = copy(0);
    return tree && { root: tree, hasError: root.hasError };
  } finally {
    cursor.delete();
  }
}

export function* descend(tree: Tree): Generator<Tree> {
  yield tree;
  for (const child of tree.children) yield* descend(child);
}
