// Follows the relative imports of a file to the files of the same tree, for the common languages.

const patterns = [
  /\b(?:from|import|require|export)\b[^'"\n]{0,200}?['"](\.{1,2}\/[^'"\n]+)['"]/g,
  /^[ \t]*#[ \t]*include[ \t]+"([^"\n]+)"/gm,
  /^[ \t]*(?:require_relative|load)[ \t]+['"]([^'"\n]+)['"]/gm,
  /^[ \t]*(?:pub[ \t]+)?mod[ \t]+([a-z_][a-z0-9_]{0,100});/gm,
  /^[ \t]*from[ \t]+(\.[A-Za-z0-9_.]{0,200})[ \t]+import\b/gm,
];

const endings = [
  "",
  ".ts",
  ".tsx",
  ".js",
  ".jsx",
  ".mjs",
  ".cjs",
  ".py",
  ".rb",
  ".rs",
  ".h",
  "/index.ts",
  "/index.js",
  "/__init__.py",
  "/mod.rs",
];

/** Paths of the tree that the text names, each once, in order. */
export function importsOf(path: string, text: string, tree: ReadonlySet<string>): string[] {
  const found: string[] = [];
  for (const pattern of patterns)
    for (const match of text.slice(0, 100_000).matchAll(pattern)) {
      const target = resolve(path, match[1] ?? "", tree);
      if (target && target !== path && !found.includes(target)) found.push(target);
    }
  return found;
}

function resolve(from: string, spec: string, tree: ReadonlySet<string>): string | undefined {
  const base = join(from, pythonic(spec));
  if (base === undefined) return undefined;
  const plain = base.replace(/\.(js|jsx|mjs)$/, "");
  return [...endings.map((end) => base + end), `${plain}.ts`, `${plain}.tsx`].find((path) => tree.has(path));
}

/** `..pkg.mod` of Python is `../pkg/mod`; one dot is the folder itself. */
function pythonic(spec: string): string {
  const match = /^(\.+)([A-Za-z0-9_.]*)$/.exec(spec);
  if (!match?.[1] || spec.includes("/")) return spec;
  return `${
    match[1].length === 1
      ? "."
      : Array(match[1].length - 1)
          .fill("..")
          .join("/")
  }/${(match[2] ?? "").replaceAll(".", "/")}`;
}

function join(from: string, spec: string): string | undefined {
  const parts = from.split("/").slice(0, -1);
  for (const part of spec.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}
