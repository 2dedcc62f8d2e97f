// Values near a recorded one. Pure.
import type { Value } from "./ends.ts";

export const isTagged = (value: Value): boolean => value !== null && typeof value === "object" && "$" in value;

const dayMs = 86_400_000;
/** Lists that are longer than those of most tests. */
const longLists = [20, 150] as const;

/** One off, longer, shorter, in another order. */
export function nearValues(value: Value): readonly Value[] {
  if (typeof value === "number") {
    const whole = Number.isInteger(value);
    return [value + 1, value - 1, whole ? value * 1_000 + 7 : value * 1_000];
  }
  if (typeof value === "string")
    return value === ""
      ? ["a"]
      : [`${value}${value.at(-1) ?? ""}`, value.slice(0, -1), [...value].toReversed().join("")];
  if (Array.isArray(value)) {
    if (value.length === 0) return [];
    const [first] = value as readonly Value[];
    const inner = nearValues(first ?? null)[0];
    return [value.slice(0, -1), value.toReversed(), ...(inner === undefined ? [] : [[inner, ...value.slice(1)]])];
  }
  if (value === null || typeof value !== "object" || isTagged(value)) return taggedNear(value);
  const fields = value as Readonly<Record<string, Value>>;
  return Object.keys(fields)
    .slice(0, 4)
    .flatMap((key) =>
      nearValues(fields[key] ?? null)
        .slice(0, 1)
        .map((near) => ({ ...fields, [key]: near })),
    );
}

const mostLeaves = 8;

/** Of a number or a text: far from what it was. */
const farOf = (value: Value): readonly Value[] => nearValues(value).slice(2);

/** With one value inside of a list or an object changed: each in turn, however deep. */
export function leafValues(value: Value, most = mostLeaves, find = farOf): readonly Value[] {
  if (value === null || typeof value !== "object" || isTagged(value)) return [];
  const isList = Array.isArray(value);
  const fields = value as Readonly<Record<string, Value>>;
  const found: Value[] = [];
  for (const key of Object.keys(fields)) {
    const inner = fields[key] ?? null;
    const others = typeof inner === "object" ? leafValues(inner, most - found.length, find) : find(inner);
    for (const other of others)
      found.push(isList ? (value as readonly Value[]).with(Number(key), other) : { ...fields, [key]: other });
    if (found.length >= most) return found.slice(0, most);
  }
  return found;
}

/** Tuples of Python as lists; whole floats as numbers; the day before and the day after. */
function taggedNear(value: Value): readonly Value[] {
  if (value === null || typeof value !== "object") return [];
  const { $: tag, v } = value as Readonly<Record<string, Value>>;
  if (tag === "tuple" && Array.isArray(v)) return nearValues(v).map((near) => ({ $: "tuple", v: near }));
  if (tag === "float" && typeof v === "string" && Number.isFinite(Number(v)))
    return [Number(v) + 1, Number(v) - 1].map((near) => ({ $: "float", v: `${near}.0` }));
  // Objects of classes: other fields.
  if ((tag === "record" || tag === "object") && Array.isArray(v))
    return leafValues((v as readonly Value[]).at(-1) ?? null).map((last) => ({
      $: tag,
      v: [...(v as readonly Value[]).slice(0, -1), last],
    }));
  if (tag === "bytes" && Array.isArray(v)) {
    const [name = null, all] = v as readonly Value[];
    return otherBytes(all as readonly number[]).map((near) => ({ $: "bytes", v: [name, near] }));
  }
  if (tag === "binary" && typeof v === "string")
    return otherBytes([...Buffer.from(v, "base64")]).map((near) => ({
      $: "binary",
      v: Buffer.from(near).toString("base64"),
    }));
  if ((tag === "set" || tag === "map") && Array.isArray(v) && v.length > 0)
    return [{ $: tag, v: (v as readonly Value[]).slice(0, -1) }];
  if ((tag === "bigint" || tag === "int") && typeof v === "string")
    return [1n, -1n].map((by) => ({ $: tag, v: String(BigInt(v) + by) }));
  if (tag === "date" && typeof v === "number") return [v + dayMs, v - dayMs].map((near) => ({ $: "date", v: near }));
  if (tag === "date" && typeof v === "string" && Number.isFinite(Date.parse(v)))
    return [dayMs, -dayMs].map((by) => ({ $: "date", v: new Date(Date.parse(v) + by).toISOString().slice(0, 10) }));
  return [];
}

/** One off, longer, shorter, in another order. */
const otherBytes = (all: readonly number[]): number[][] => {
  const [first = 0, ...rest] = all;
  return [[(first + 1) % 256, ...rest], [...all, 65], all.slice(0, -1), all.toReversed()];
};

const longText = 120;
/** In the other case where there is one. */
const otherCase = (text: string): string => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase());

const mostNumbers = 3;

/** A text that holds numbers, each of them seven more: another month, hour or version. */
function otherNumbers(text: string): string[] {
  return [...text.matchAll(/\d{1,6}/g)].slice(-mostNumbers).map(({ 0: digits, index }) => {
    const more = String(Number(digits) + 7).padStart(digits.length, "0");
    return text.slice(0, index) + more + text.slice(index + digits.length);
  });
}

/** Values that code often forgets: nothing, zero, parts, signs, letters of other languages and of the other case, long texts and
 * lists, the other truth value. */
export function oddValues(value: Value): readonly Value[] {
  if (typeof value === "boolean") return [!value];
  if (typeof value === "number") return [value + 0.5, 0, -value];
  if (typeof value === "string")
    return [
      `../${value}`,
      `${value} Größe 😀`,
      `${value}'"${value}`,
      `${value}\t${value}\n${value}`,
      `${value} `,
      ...otherNumbers(value),
      ...(value === "" ? [] : [otherCase(value), "", `${value} `.repeat(Math.ceil(longText / (value.length + 1)))]),
    ];
  if (Array.isArray(value) && value.length > 0) {
    const long = longLists.map((least) =>
      Array.from({ length: least }, (_, at) => (value as readonly Value[])[at % value.length] ?? null),
    );
    return [...long, []];
  }
  return [];
}
