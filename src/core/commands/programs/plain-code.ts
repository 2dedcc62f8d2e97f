// Inline code that only looks: `node -p "require('./package.json').version"`. Few whole shapes are known; code of any other
// shape stays unknown, because a name, a call or an index more could lead anywhere.

const either = (...shapes: readonly string[]) => `(?:${shapes.join("|")})`;
/** The parts stand one behind the other, with blanks between them where these mean nothing. */
const row = (...parts: readonly string[]) => parts.join(String.raw`\s*`);
const listed = (shape: string) => `${shape}(?:${row("", ",", shape)})*`;

const text = String.raw`(?:"[^"'\\\n]*"|'[^"'\\\n]*')`;
const number = String.raw`-?\d+(?:\.\d+)?`;
const sumOfNumbers = String.raw`${number}(?:\s*(?:\*\*?|\/\/?|[-+%])\s*${number})*`;
/** A file of the project, or one that the reader of files is asked about by its name. */
const file = String.raw`(?:"[\w./@-]+"|'[\w./@-]+')`;
const jsonFile = String.raw`(?:"\.\.?\/[\w./@-]+\.json"|'\.\.?\/[\w./@-]+\.json')`;
/** Keys that lead from a value to the code behind it are no items. */
const word = String.raw`(?!constructor\b|prototype\b|__)[A-Za-z_$][\w$-]*`;
const key = String.raw`(?!constructor\b|prototype\b|__)[\w@$/.:-]+`;
const item = String.raw`\[(?:"${key}"|'${key}'|${number})\]`;
/** What stands in a file has no methods: the last word of a way through it is never called. */
const way = String.raw`(?:\??\.(?:${word})(?!\s*[(\w$-])|${item}(?!\s*\())*`;

/** With `own`, the code has one name of its own: that of a file it has loaded. */
function javascript(own: boolean): RegExp {
  const readsFile = row("readFileSync", String.raw`\(`, file, String.raw`(?:,\s*["']utf-?8["']\s*)?\)`);
  const loaded = (loads: string) => row("require", String.raw`\(`, loads, String.raw`\)`);
  const fs = either(loaded(String.raw`["'](?:node:)?fs["']`), String.raw`fs`);
  const parsed = row(
    String.raw`JSON\.parse`,
    String.raw`\(`,
    String.raw`${fs}\.${readsFile}`,
    String.raw`\)`,
  );
  const told = String.raw`process\.(?:version\b|versions(?:\.\w+)?|platform\b|arch\b)`;
  const value = `${either(loaded(jsonFile), parsed, ...(own ? [String.raw`\k<own>`] : []))}${way}`;
  const keys = row(
    String.raw`Object\.(?:keys|values|entries)`,
    String.raw`\(`,
    value,
    String.raw`(?:\|\|\s*\{\}\s*)?\)`,
  );
  const ends = String.raw`(?:\.sort\(\))?(?:\.length\b|\.join\(${String.raw`(?:"[^"'\n]*"|'[^"'\n]*')`}\))?`;
  const printed = row(
    String.raw`JSON\.stringify`,
    String.raw`\(`,
    value,
    String.raw`(?:,\s*null\s*,\s*\d\s*)?\)`,
  );
  const one = either(told, text, number, `${keys}${ends}`, printed, value);
  const sum = `${one}(?:${row("", String.raw`[-+*/%]`, one)})*`;
  const declares = String.raw`(?:const|let|var)\s+`;
  const files = String.raw`(?:${declares}fs\s*=\s*${loaded(String.raw`["'](?:node:)?fs["']`)}\s*;\s*)?`;
  const named = own
    ? String.raw`${declares}(?<own>[a-z]\w*)\s*=\s*${either(loaded(jsonFile), parsed)}\s*;\s*`
    : "";
  const log = row(String.raw`console\.log`, String.raw`\(`, listed(sum), String.raw`\)`);
  return new RegExp(`^${files}${named}${either(log, sum)};?$`);
}

function python(): RegExp {
  const known = "(?:sys|json|platform|ast|tomllib)";
  const imports = `import\\s+${listed(known)}`;
  const open = row(
    "open",
    String.raw`\(`,
    file,
    String.raw`(?:,\s*["']rb?["']\s*)?(?:,\s*encoding\s*=\s*["']utf-?8["']\s*)?\)`,
  );
  const read = `${open}\\.read\\(\\)`;
  const source = either(open, String.raw`sys\.stdin`);
  const loaded = either(
    row(String.raw`(?:json|tomllib)\.load`, String.raw`\(`, source, String.raw`\)`),
    row(
      String.raw`json\.loads`,
      String.raw`\(`,
      either(read, String.raw`sys\.stdin\.read\(\)`),
      String.raw`\)`,
    ),
  );
  const value = `${loaded}(?:${item})*`;
  const told = either(
    String.raw`sys\.(?:version|version_info|executable|path|prefix|platform|maxsize)(?:\[:?\d\])?`,
    String.raw`platform\.(?:python_version|system|machine)\(\)`,
  );
  const counted = row(either("len", "sorted", "list"), String.raw`\(`, value, String.raw`\)`);
  const one = either(told, text, sumOfNumbers, counted, value);
  const parse = row(String.raw`ast\.parse`, String.raw`\(`, read, String.raw`\)`);
  const print = row("print", String.raw`\(`, listed(one), String.raw`\)`);
  const statement = either(print, parse, loaded);
  return new RegExp(
    `^\\s*(?:${imports}\\s*[;\\n]\\s*)?${statement}(?:\\s*[;\\n]\\s*${statement})*\\s*;?\\s*$`,
  );
}

const shapes: Readonly<Record<"node" | "python", readonly RegExp[]>> = {
  node: [javascript(false), javascript(true)],
  python: [python()],
};

/** The texts in code that can only look: each may name a file that it shows. Undefined where the code may do more. */
export function plainTexts(code: string, language: "node" | "python"): readonly string[] | undefined {
  const trimmed = code.trim();
  if (trimmed.length > 1_000 || !shapes[language].some((shape) => shape.test(trimmed))) return undefined;
  return [...code.matchAll(/"([^"]*)"|'([^']*)'/g)].map((found) => found[1] ?? found[2] ?? "");
}
