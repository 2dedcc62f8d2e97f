// A value as a literal of Go or Rust. Pure.
import type { Value } from "../ends.ts";

const goText = (text: string): string =>
  `"${[...text]
    .map((char) => {
      const code = char.codePointAt(0) ?? 0;
      if (char === '"' || char === "\\") return `\\${char}`;
      return code < 32 || code > 126 ? `\\U${code.toString(16).padStart(8, "0")}` : char;
    })
    .join("")}"`;

const rustText = (text: string): string =>
  `"${[...text]
    .map((char) => {
      const code = char.codePointAt(0) ?? 0;
      if (char === '"' || char === "\\") return `\\${char}`;
      return code < 32 || code > 126 ? `\\u{${code.toString(16)}}` : char;
    })
    .join("")}"`;

const ranges: Readonly<Record<string, readonly [number, number]>> = {
  "8": [-128, 127],
  "16": [-32_768, 32_767],
  "32": [-2_147_483_648, 2_147_483_647],
};

/** Whether a whole number fits into a type; larger types take what JavaScript counts exactly. */
function fits(value: number, type: string): boolean {
  if (!Number.isSafeInteger(value)) return false;
  const bits = /8|16|32/.exec(type)?.[0] ?? (/^(?:byte)$/.test(type) ? "8" : type === "rune" ? "32" : "");
  const unsigned = /^u|^byte$/.test(type);
  const range = ranges[bits];
  if (unsigned) return value >= 0 && (range === undefined || value <= range[1] - range[0]);
  return range === undefined || (value >= range[0] && value <= range[1]);
}

function goLiteral(value: Value, type: string): string | null {
  if (type.startsWith("[]")) {
    if (value === null) return `${type}(nil)`;
    if (!Array.isArray(value)) return null;
    const parts = value.map((one: Value) => goLiteral(one, type.slice(2)));
    return parts.includes(null) ? null : `${type}{${parts.join(", ")}}`;
  }
  if (type.startsWith("map[string]")) {
    if (value === null) return `${type}(nil)`;
    const parts = Object.entries(value as Readonly<Record<string, Value>>).map(([key, one]) => {
      const made = goLiteral(one, type.slice("map[string]".length));
      return made === null ? null : `${goText(key)}: ${made}`;
    });
    return parts.includes(null) ? null : `${type}{${parts.join(", ")}}`;
  }
  if (type === "string") return typeof value === "string" ? goText(value) : null;
  if (type === "bool") return typeof value === "boolean" ? String(value) : null;
  if (typeof value !== "number" || !Number.isFinite(value)) return null;
  if (type.startsWith("float")) return `${type}(${value})`;
  return fits(value, type) ? `${type}(${value})` : null;
}

function rustLiteral(value: Value, type: string): string | null {
  const inner = /^(Vec<|&\[|Option<)(.+)[>\]]$/.exec(type);
  if (inner?.[1] === "Option<") {
    if (value === null) return "None";
    const made = rustLiteral(value, inner[2] ?? "");
    return made === null ? null : `Some(${made})`;
  }
  if (inner) {
    if (!Array.isArray(value)) return null;
    const parts = value.map((one: Value) => rustLiteral(one, inner[2] ?? ""));
    return parts.includes(null) ? null : `${type.startsWith("&") ? "&" : "vec!"}[${parts.join(", ")}]`;
  }
  if (type === "String") return typeof value === "string" ? `String::from(${rustText(value)})` : null;
  if (type === "&str") return typeof value === "string" ? rustText(value) : null;
  if (type === "bool") return typeof value === "boolean" ? String(value) : null;
  if (type === "char" || typeof value !== "number" || !Number.isFinite(value)) return null;
  if (type.startsWith("f")) return `(${Number.isInteger(value) ? `${value}.0` : value}_${type})`;
  return fits(value, type) ? `(${value}_${type})` : null;
}

/** Null where the type cannot hold the value, or it cannot be written down. */
export const literalOf = (language: "go" | "rust", value: Value, type: string): string | null =>
  language === "go" ? goLiteral(value, type) : rustLiteral(value, type);
