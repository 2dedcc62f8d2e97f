// Finds the functions of a source text, without a parser: near enough to break one on purpose. A function that is missed
// is only one sabotage less.
import { closing, codeOnly, type Language } from "./language.ts";

export interface FoundFunction {
  readonly name: string;
  /** Where its parameters begin, or the words before them. */
  readonly head: number;
  /** Where the first statement of the body goes, and where the body ends. */
  readonly body: readonly [start: number, end: number];
  /** `=> a + b` has no braces to put a statement between. */
  readonly shape: "block" | "expression";
  readonly indent: string;
}

const keywords = /^(?:if|for|while|switch|catch|with|return|function|do|else|await|typeof|new|constructor)$/;

const heads: Readonly<Record<Exclude<Language, "shell">, RegExp>> = {
  js: /(?:\bfunction\b\s*\*?\s*([\w$]*)|^[ \t]*(?:(?:export|default|public|private|protected|static|async|get|set|override)\s+)*\*?#?([\w$]+))\s*(?:<[^<>()]*>\s*)?(?=\()/gm,
  python: /^([ \t]*)(?:async\s+)?def\s+(\w+)\s*(?=\()/gm,
  go: /^func\s*(?:\([^()]*\)\s*)?(\w+)\s*(?:\[[^\]]*\]\s*)?(?=\()/gm,
  rust: /\bfn\s+(\w+)\s*(?:<[^()]*>\s*)?(?=\()/g,
};

/** More functions than this in one file are left alone. */
const mostFunctions = 2_000;

export function functionsIn(text: string, language: Language): FoundFunction[] {
  if (language === "shell") return [];
  const code = codeOnly(text, language);
  // A sabotage does not break tests that are in the file they test.
  const own = language === "rust" ? (code.split("#[cfg(test)]")[0] ?? "") : code;
  const found = [...own.matchAll(heads[language])].slice(0, mostFunctions).flatMap((match) => {
    const name = (language === "python" ? match[2] : match[1] || match[2]) ?? "";
    const close = closing(own, match.index + match[0].length);
    if (close < 0 || keywords.test(name)) return [];
    const made = language === "python" ? pythonBody(own, close, match[1] ?? "") : bracedBody(own, close, language);
    return made ? [{ name, head: match.index, ...made }] : [];
  });
  return language === "js" ? [...found, ...arrows(own)] : found;
}

type Body = Omit<FoundFunction, "name" | "head">;

function bracedBody(code: string, after: number, language: Language): Body | undefined {
  const until =
    language === "js"
      ? /^\s*(?::[^{};=]+(?:\{[^{}]*\}[^{};=]*)?)?\{/
      : /^[^{};]*(?:(?:interface|struct)\{\}[^{};]*)*\{/;
  const head = until.exec(code.slice(after, after + 500));
  if (!head) return undefined;
  const start = after + head[0].length;
  const end = closing(code, start - 1);
  return end < 0 ? undefined : { body: [start, end - 1], shape: "block", indent: "" };
}

function pythonBody(code: string, after: number, indent: string): Body | undefined {
  const head = /^[^:\n]*:/.exec(code.slice(after, after + 500));
  if (!head) return undefined;
  const start = after + head[0].length;
  const rest = /^[^\n]*/.exec(code.slice(start))?.[0] ?? "";
  if (rest.trim() !== "") return { body: [start, start + rest.length], shape: "expression", indent };
  const inner = new RegExp(`^\\n(?:[ \\t]*\\n)*(${indent}[ \\t]+)\\S`).exec(code.slice(start + rest.length))?.[1];
  if (inner === undefined) return undefined;
  const lines = code.slice(start + rest.length + 1).split("\n");
  const last = lines.findIndex((line) => line.trim() !== "" && !line.startsWith(inner));
  const length = lines.slice(0, last < 0 ? lines.length : last).join("\n").length;
  return { body: [start + rest.length + 1, start + rest.length + 1 + length], shape: "block", indent: inner };
}

function arrows(code: string): FoundFunction[] {
  return [...code.matchAll(/=>[ \t]*/g)].slice(0, mostFunctions).flatMap((match): FoundFunction[] => {
    const start = match.index + match[0].length;
    const head = parametersBefore(code, match.index);
    const line = code.slice(code.lastIndexOf("\n", head) + 1, match.index);
    const name = /(?:^|[\s,{(])(?:(?:const|let|var)\s+)?([\w$]+)\s*(?::[^=]*)?[:=]\s*(?:async\b\s*)?[(\w$<]/.exec(
      line,
    )?.[1];
    if (code[start] === "{") {
      const end = closing(code, start);
      return end < 0
        ? []
        : [{ name: name ?? "", head, body: [start + 1, end - 1] as const, shape: "block" as const, indent: "" }];
    }
    // A function that returns a function is broken at the inner one.
    if (/^(?:async\s*)?(?:\([^()]*\)|[\w$]+)\s*=>/.test(code.slice(start, start + 300))) return [];
    const end = code.indexOf("\n", start);
    const body = [start, end < 0 ? code.length : end] as const;
    return [{ name: name ?? "", head, body, shape: "expression" as const, indent: "" }];
  });
}

const mostOfHead = 2_000;

/** Where the parameters of an arrow begin. */
function parametersBefore(code: string, arrow: number): number {
  const before = code.slice(Math.max(0, arrow - mostOfHead), arrow).trimEnd();
  let open = 0;
  for (let at = before.length - 1; at >= 0 && before.endsWith(")"); at -= 1) {
    if (before[at] === ")") open += 1;
    if (before[at] === "(") open -= 1;
    if (open === 0) return arrow - (Math.min(arrow, mostOfHead) - at);
  }
  return arrow;
}
