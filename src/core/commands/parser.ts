// Owns the shell grammar: loads tree-sitter's bash from bytes that are handed in, so that this room touches no disk.
import { Language, type Node, Parser } from "web-tree-sitter";

export type SyntaxNode = Node;

export interface ParserBytes {
  readonly parserWasm: Uint8Array;
  readonly bashWasm: Uint8Array;
}

/** Calls `use` with the root of the syntax tree, which is only valid inside the call. Undefined for a text that asks for
 * too much work. */
export type ParseShell = <T>(text: string, use: (root: SyntaxNode) => T) => T | undefined;

/** Turns of the parser's own progress report, about a tenth of a millisecond each; whole scripts need under 300. */
const turnLimit = 800;

let started: Promise<void> | undefined;

export async function loadShellParser({ parserWasm, bashWasm }: ParserBytes): Promise<ParseShell> {
  // The wasm runtime is a process-wide singleton; a second start would replace the first under its users.
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
