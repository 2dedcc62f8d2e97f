// Sets one entry of a JSON file with comments. Only that entry changes; the rest of the file keeps its format.
import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from "jsonc-parser";
import { fail } from "../../core/contract/index.ts";

function refuse(file: string, text: string, offset: number, why: string): never {
  const line = text.slice(0, offset).split("\n").length;
  return fail("invalid_config", `${file}:${line}: ${why}`, {
    remedy: "Correct the file; nothing was changed.",
    details: { path: file, line },
  });
}

function read(text: string, file: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [broken] = errors;
  if (broken || !root)
    return refuse(file, text, broken?.offset ?? 0, broken ? printParseErrorCode(broken.error) : "it is empty");
  return root;
}

interface Style {
  readonly unit: string;
  readonly eol: string;
}

const styleOf = (text: string): Style => ({
  unit: /\n([ \t]+)\S/.exec(text)?.[1]?.slice(0, 8) ?? "  ",
  eol: text.includes("\r\n") ? "\r\n" : "\n",
});

/** A value, indented for a depth of `depth` levels. */
const written = (value: unknown, depth: number, { unit, eol }: Style): string =>
  JSON.stringify(value, null, unit).replaceAll("\n", `${eol}${unit.repeat(depth)}`);

/** Inserts a property at the end of an object, behind the comment of the last property if it has one. */
function inserted(text: string, parent: Node, key: string, value: unknown, depth: number, style: Style): string {
  const { eol, unit } = style;
  const line = `${eol}${unit.repeat(depth)}${JSON.stringify(key)}: ${written(value, depth, style)}`;
  const close = parent.offset + parent.length - 1;
  const last = parent.children?.at(-1);
  if (!last) {
    const inner = text.slice(parent.offset + 1, close).trimEnd();
    return `${text.slice(0, parent.offset + 1)}${inner}${line}${eol}${unit.repeat(depth - 1)}${text.slice(close)}`;
  }
  const end = last.offset + last.length;
  const comma = /^\s*,/.exec(text.slice(end, close))?.[0].length ?? 0;
  const comment =
    /^[ \t]*(?:\/\/[^\r\n]*|\/\*(?:[^*\r\n]|\*(?!\/))*\*\/[ \t]*(?=[\r\n]))/.exec(
      text.slice(end + comma, close),
    )?.[0] ?? "";
  const after = end + comma + comment.length;
  const rest = text.slice(after);
  const inLine = /^[ \t]*\}/.test(rest);
  return `${text.slice(0, end)}${comma > 0 ? text.slice(end, end + comma) : ","}${comment}${line}${comma > 0 ? "," : ""}${inLine ? eol + unit.repeat(depth - 1) : ""}${inLine ? rest.trimStart() : rest}`;
}

function withKey(text: string, file: string, path: readonly string[], value: unknown): string {
  const root = read(text, file);
  const style = styleOf(text);
  const known = findNodeAtLocation(root, [...path]);
  if (known) {
    if (JSON.stringify(getNodeValue(known)) === JSON.stringify(value)) return text;
    return `${text.slice(0, known.offset)}${written(value, path.length, style)}${text.slice(known.offset + known.length)}`;
  }
  for (let depth = path.length - 1; depth >= 0; depth -= 1) {
    const parent = findNodeAtLocation(root, path.slice(0, depth));
    if (!parent) continue;
    if (parent.type !== "object")
      return refuse(file, text, parent.offset, `${path.slice(0, depth).join(".") || "the file"} is not an object`);
    const nested = path.slice(depth + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
    return inserted(text, parent, path[depth] ?? "", nested, depth + 1, style);
  }
  throw new Error("a file without a root was read");
}

export function setJsonEntry(text: string, file: string, path: readonly string[], value: object): string {
  const before = text.trim() === "" ? "{}\n" : text;
  const known = findNodeAtLocation(read(before, file), [...path]);
  // Key by key where the entry exists, so that comments and other keys inside it stay.
  const after =
    known?.type === "object"
      ? Object.entries(value).reduce((current, [key, entry]) => withKey(current, file, [...path, key], entry), before)
      : withKey(before, file, path, value);
  if (after === before && text === before) return text;
  return after.endsWith("\n") ? after : `${after}${styleOf(before).eol}`;
}
