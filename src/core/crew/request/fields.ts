// Fields of a JSON answer of a forge: anything may be missing or of another type.
import { isRecord, plainLine } from "../../contract/index.ts";

export const field = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((found, name) => (isRecord(found) ? found[name] : undefined), value);

export function textField(value: unknown, ...path: readonly string[]): string {
  const found = field(value, ...path);
  return typeof found === "string" ? found : typeof found === "number" ? String(found) : "";
}

/** The first of these fields that holds something, as one line. */
export const lineField = (value: unknown, ...names: readonly string[]): string =>
  plainLine(names.map((name) => textField(value, name)).find((text) => text !== "") ?? "", 300);

export function listField(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = field(value, ...path);
  return Array.isArray(found) ? found : [];
}

export const placeOf = (path: string, line: string): string | null =>
  path === "" ? null : plainLine(line === "" ? path : `${path}:${line}`, 300);
