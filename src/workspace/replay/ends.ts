// The end of a call: its result or its error, what was printed meanwhile and what callbacks were given; and when two ends are the
// same. Pure.

/** A value as the recorders write it: plain JSON, with `{ "$": kind, "v": … }` for what JSON does not have. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value };

/** `w`: what was printed meanwhile, where it is known. `b`: what the callbacks were given. */
interface Beside {
  readonly w?: Value;
  readonly b?: Value;
}
export type End = ({ readonly r: Value } | { readonly t: Value }) & Beside;

export function endOf(record: Readonly<Record<string, unknown>>): End | null {
  const { r, t, w, b } = record;
  const beside = { ...(Array.isArray(w) ? { w: w as Value } : {}), ...(Array.isArray(b) ? { b: b as Value } : {}) };
  if ("r" in record) return { r: r as Value, ...beside };
  return "t" in record ? { t: t as Value, ...beside } : null;
}

/** Folders of this replay, which may be a part of a result. */
export type Folders = readonly string[];

const escapes = /\\u001b\[[0-9;]*[A-Za-z]/g;

const withoutFolders = (text: string, folders: Folders): string =>
  folders.reduce(
    (made, folder) => (folder.length > 1 ? made.replaceAll(folder, "<folder>") : made),
    text.replaceAll(escapes, ""),
  );

/** Without the order of keys and without hidden properties. */
function plainly(value: Value): Value {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(plainly);
  const fields = value as Readonly<Record<string, Value>>;
  const { $: tag, v } = fields;
  if (tag === "with" && Array.isArray(v)) return plainly((v as readonly Value[])[0] ?? null);
  if (tag === "error" && Array.isArray(v)) return { $: tag, v: v.slice(0, 2) };
  return Object.fromEntries(
    Object.keys(fields)
      .toSorted()
      .map((key) => [key, plainly(fields[key] ?? null)]),
  );
}

/** Two ends that are equal by this are the same end: colours, the folder in which the process ran, the order of keys, the text
 * of errors and what is printed do not count. */
export function endKey(end: End, folders: Folders = []): string {
  if ("t" in end) {
    const { v } = (end.t ?? {}) as { readonly v?: unknown };
    return `throws ${Array.isArray(v) ? String(v[0]) : ""}`;
  }
  const called = Array.isArray(end.b) && end.b.length > 0 ? ` calls ${JSON.stringify(plainly(end.b))}` : "";
  return withoutFolders(`${JSON.stringify(plainly(end.r))}${called}`, folders);
}

/** Ends that are the same to the letter, with what was printed where it is known of both. */
export function sameToTheLetter(a: End, b: End, folders: Folders = []): boolean {
  const textOf = ({ w, b: called = [], ...end }: End, printed: boolean): string =>
    withoutFolders(JSON.stringify([end, called, printed ? w : null]), folders);
  const printed = a.w !== undefined && b.w !== undefined;
  return textOf(a, printed) === textOf(b, printed);
}
