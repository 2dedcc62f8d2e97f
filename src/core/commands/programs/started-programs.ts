// The programs that inline code starts with words that stand in it: `subprocess.run(["npm", "ls"])`, `execSync("npm test")`.

const text = String.raw`(?:"[^"\\\n]*"|'[^'\\\n]*')`;
const list = String.raw`\[\s*${text}(?:\s*,\s*${text})*\s*,?\s*\]`;

const calls: Readonly<Record<"python" | "node", { readonly known: RegExp; readonly any: RegExp }>> = {
  python: {
    known: new RegExp(
      String.raw`\b(?:os\.system|subprocess\.(?:run|call|check_call|check_output|Popen|getoutput))\(\s*(${list}|${text})(?=\s*[,)])`,
      "g",
    ),
    // Each use of a word that starts something, apart from the import.
    any: /(?<!\bimport [\w, ]{0,60})\bsubprocess\b|\bos\.(?:system|popen|exec|spawn|posix_spawn|fork)|\bpopen\b|\bpty\b|\b(?:eval|exec|compile|__import__|getattr|globals|importlib|system)\b(?<!os\.system)/g,
  },
  node: {
    known: new RegExp(
      String.raw`\brequire\(["'](?:node:)?child_process["']\)\.(?:exec|execFile|spawn)(?:Sync)?\(\s*(${text}(?:\s*,\s*${list})?)(?=\s*[,)])`,
      "g",
    ),
    any: /\bchild_process\b|\b(?:eval|Function|constructor|import|binding|fork)\b|\brequire\((?!["'])/g,
  },
};

const wordsOf = (literal: string): string[] =>
  [...literal.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, double, single]) => double ?? single ?? "");

const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`);

interface Started {
  /** The shell lines. */
  readonly lines: readonly string[];
  /** The code without them. */
  readonly rest: string;
}

/** Undefined when the code could start anything else. */
export function startedPrograms(interpreter: string, code: string): Started | undefined {
  const language = interpreter.startsWith("py") ? "python" : interpreter.startsWith("node") ? "node" : undefined;
  if (language === undefined || /\b(?:from\s+(?:subprocess|os)\b|as\s+\w+\s*(?:[;,\n]|$))/.test(code)) return undefined;
  const { known, any } = calls[language];
  const lines = [...code.matchAll(known)].map(([, literal = ""]) => {
    const words = wordsOf(literal);
    const isList = literal.includes("[") && !/^["'].*["']$/s.test(literal.trim());
    return isList || words.length > 1 ? words.map(quoted).join(" ") : (words[0] ?? "");
  });
  const rest = code
    .replaceAll(known, "start(")
    .replaceAll(/\b(?:import\s+subprocess|shell\s*=\s*(?:True|False))\b/g, "");
  if (lines.length === 0 || rest.search(any) >= 0 || lines.some((line) => line.includes("'") && line.includes("\\")))
    return undefined;
  return { lines, rest };
}
