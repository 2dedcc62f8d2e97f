// Loads the shell parser, copies its syntax tree into plain objects, so that the walk needs no parser memory, and defines the
// setting in which a text is judged.
import { Language, type Node, Parser } from "web-tree-sitter";
import type { CommandPlace, Span } from "../../contract/index.ts";
import type { BaseFile, Feed, FileContent } from "../call.ts";
import type { Cwd } from "../paths/path-class.ts";
import type { CommandFinding } from "../verdict.ts";

export type SyntaxNode = Node;

export interface ParserBytes {
  readonly parserWasm: Uint8Array;
  readonly bashWasm: Uint8Array;
}

/** Calls `use` with the root of the syntax tree, which is only valid inside the call. Undefined for a text that exceeds the
 * parser's limit. */
export type ParseShell = <T>(text: string, use: (root: SyntaxNode) => T) => T | undefined;

/** Turns of the parser's own progress report, about a tenth of a millisecond each; whole scripts need under 300. */
const turnLimit = 800;

let started: Promise<void> | undefined;

export async function loadShellParser({ parserWasm, bashWasm }: ParserBytes): Promise<ParseShell> {
  // The wasm runtime is a process-wide singleton; a second start would invalidate the first.
  started ??= Parser.init({ wasmBinary: parserWasm } as Parameters<typeof Parser.init>[0]);
  await started;
  const parser = new Parser();
  parser.setLanguage(await Language.load(bashWasm));
  return (text, use) => {
    parser.reset();
    let turns = 0;
    const progressCallback = () => (turns += 1) > turnLimit;
    const tree = parser.parse(text, null, { progressCallback } as Parameters<typeof parser.parse>[2]);
    if (!tree) return undefined;
    try {
      return use(tree.rootNode);
    } finally {
      tree.delete();
    }
  };
}

export interface Tree {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly named: boolean;
  /** Inserted by the parser where a token was expected. */
  readonly missing: boolean;
  readonly children: readonly Tree[];
}

export interface TreeCopy {
  readonly root: Tree;
  readonly hasError: boolean;
}

const depthLimit = 400;
const nodeLimit = 20_000;

/** Undefined for a tree that exceeds the limits of depth or size. */
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

export interface Setting {
  readonly depth: number;
  readonly cwd: Cwd;
  readonly feed: Feed;
  readonly root: string | undefined;
  /** Tools that are installed in the project. */
  readonly installed: ReadonlySet<string>;
  /** By path from the top of the workspace. */
  readonly baseFile: (path: string) => BaseFile;
  readonly content: (path: string) => FileContent;
  readonly where: CommandPlace;
  readonly leadsAway: (path: string) => boolean;
  readonly isMissing: (folder: string) => boolean;
  /** A star also matches names that begin with a dot. */
  readonly hiddenFiles: boolean;
  /** The remaining work budget of one line, shared by all nested texts. */
  readonly budget: { left: number };
  /** Maps a span in this text to a span in the user's line. */
  readonly locate: (span: Span) => Span;
}

export type JudgeText = (text: string, setting: Setting) => CommandFinding[];
