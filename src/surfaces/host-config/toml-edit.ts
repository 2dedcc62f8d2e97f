// Sets a few keys of one table of a TOML file. Everything else, comments and spacing included, stays byte for byte.
import { fail } from "../../core/contract/index.ts";
import { scanToml, type Statement } from "./toml-scan.ts";

export type TomlValue = string | readonly string[];

/** A basic string: the escapes of JSON are those of TOML, except DEL, which TOML escapes. */
const quote = (text: string) => JSON.stringify(text).replaceAll("\u007f", String.raw`\u007F`);
const written = (value: TomlValue) => (typeof value === "string" ? quote(value) : `[${value.map(quote).join(", ")}]`);

const isPath = (path: readonly string[], wanted: readonly string[]) =>
  path.length === wanted.length && path.every((part, index) => part === wanted[index]);
const begins = (path: readonly string[], start: readonly string[]) =>
  start.every((part, index) => path[index] === part);

interface Table {
  readonly header: Statement;
  readonly keys: readonly Statement[];
}

/** Keys by their table; keys before the first header are in the root. */
function tablesOf(statements: readonly Statement[]): {
  root: readonly Statement[];
  tables: readonly Table[];
} {
  const root: Statement[] = [];
  const tables: { header: Statement; keys: Statement[] }[] = [];
  for (const statement of statements) {
    if (statement.kind !== "key") tables.push({ header: statement, keys: [] });
    else (tables.at(-1)?.keys ?? root).push(statement);
  }
  return { root, tables };
}

function refuseAt(text: string, file: string, { start }: Statement, why: string): never {
  const line = text.slice(0, start).split("\n").length;
  return fail("invalid_config", `${file}:${line}: ${why}`, {
    remedy: "Edit it by hand, or remove it and try again; nothing was changed.",
    details: { path: file, line },
  });
}

/** A table that is written in another form than under its own header is refused. */
function refuseOtherForms(text: string, file: string, statements: readonly Statement[], path: readonly string[]): void {
  const { root, tables } = tablesOf(statements);
  const refuseInline = (within: readonly string[], keys: readonly Statement[]) => {
    for (const key of keys) {
      const whole = [...within, ...key.path];
      const clash = begins(whole, path) || begins(path, whole);
      if (clash && !isPath(within, path) && !begins(within, path))
        refuseAt(text, file, key, `${whole.join(".")} is written inline`);
    }
  };
  refuseInline([], root);
  for (const { header, keys } of tables) {
    if (header.kind === "array_table" && begins(path, header.path))
      refuseAt(text, file, header, `${header.path.join(".")} is a list of tables`);
    refuseInline(header.path, keys);
  }
  const same = tables.filter(({ header }) => isPath(header.path, path));
  if (same[1]) refuseAt(text, file, same[1].header, `[${path.join(".")}] occurs twice`);
}

export function setTomlTable(
  text: string,
  file: string,
  path: readonly string[],
  values: Readonly<Record<string, TomlValue>>,
): string {
  const statements = scanToml(text, file);
  refuseOtherForms(text, file, statements, path);
  const line = text.includes("\r\n") ? "\r\n" : "\n";
  const found = tablesOf(statements).tables.find(({ header }) => isPath(header.path, path));
  if (!found) return appended(text, path, values, line);
  const missing: string[] = [];
  let edited = text;
  // Edits begin at the end, so earlier offsets stay valid.
  for (const [name, value] of Object.entries(values)) {
    const key = found.keys.find((statement) => isPath(statement.path, [name]));
    if (!key) missing.push(`${name} = ${written(value)}${line}`);
  }
  const present = found.keys
    .filter(({ path: own }) => own.length === 1 && Object.hasOwn(values, own[0] ?? ""))
    .toSorted((a, b) => b.start - a.start);
  for (const key of present) edited = replaced(edited, key, values[key.path[0] ?? ""] ?? "", line);
  if (missing.length === 0) return edited;
  const { end } = found.header;
  const before = edited.slice(0, end);
  return `${before}${before.endsWith("\n") ? "" : line}${missing.join("")}${edited.slice(end)}`;
}

function replaced(text: string, key: Statement, value: TomlValue, line: string): string {
  const old = text.slice(key.start, key.end);
  const equals = old.indexOf("=");
  const rest = old.slice(equals + 1).trim();
  // A value that is the same, also with a comment behind it, stays.
  if (rest === written(value) || new RegExp(`^${RegExp.escape(written(value))}\\s*#`, "u").test(rest)) return text;
  const end = old.endsWith("\n") ? line : "";
  return `${text.slice(0, key.start)}${old.slice(0, equals)}= ${written(value)}${end}${text.slice(key.end)}`;
}

const bare = /^[A-Za-z0-9_-]+$/;

function appended(
  text: string,
  path: readonly string[],
  values: Readonly<Record<string, TomlValue>>,
  line: string,
): string {
  const name = path.map((part) => (bare.test(part) ? part : quote(part))).join(".");
  const body = Object.entries(values).map(([key, value]) => `${key} = ${written(value)}${line}`);
  const gap = text === "" ? "" : text.endsWith("\n") ? line : `${line}${line}`;
  return `${text}${gap}[${name}]${line}${body.join("")}`;
}
