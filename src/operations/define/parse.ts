// The one door for input: parses what a caller gave by the fields of an operation. A refusal is data: which field, which
// values are accepted, and which one was probably meant; the surface spells it.
import { isRecord, nearest } from "../../core/contract/index.ts";
import type { ChoiceField, Field, Fields, ListField, NumberField, TextField } from "./fields.ts";

export interface FieldRefusal {
  readonly path: readonly (string | number)[];
  readonly problem: "missing" | "unknown" | "invalid";
  /** Completes "Give …". */
  readonly accepted: string;
  readonly given: unknown;
  readonly near: string | undefined;
  /** The way to see which values there are. */
  readonly look?: Field["look"];
}

export type Parsed =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly refusals: readonly FieldRefusal[] };

const count = (value: number): string => value.toLocaleString("en-US");

function range({ min, max }: { min?: number; max?: number }, unit: string, one = unit): string {
  if (min !== undefined && max !== undefined) return `${count(min)} to ${count(max)} ${unit}`.trimEnd();
  if (max !== undefined) return `at most ${count(max)} ${max === 1 ? one : unit}`.trimEnd();
  return min === undefined ? "" : `at least ${count(min)} ${min === 1 ? one : unit}`.trimEnd();
}

function acceptedNumber({ kind, min, max, positive }: NumberField): string {
  const noun = kind === "whole" ? "a whole number" : "a number";
  if (positive || (min === 1 && max === undefined)) return `${noun} above zero`;
  if (min === undefined && max === undefined) return noun;
  const limits = range({ ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }, "");
  return `${noun}${min === undefined || max === undefined ? "," : " from"} ${limits}`;
}

/** The accepted values in words. */
export function accepted(field: Field): string {
  if (field.check) return field.check.words;
  switch (field.kind) {
    case "text":
      return field.words ?? `a text of ${range(field, "characters", "character") || "any length"}`;
    case "whole":
    case "number":
      return acceptedNumber(field);
    case "flag":
      return "true or false";
    case "choice":
      return `one of: ${field.values.join(", ")}`;
    case "list":
      return field.words ?? `a list with ${range(field, "entries", "entry") || "any number of entries"}`;
    case "record":
      return `an object with keys among: ${field.keys.join(", ")}`;
    case "shape":
      return `an object with: ${Object.keys(field.fields).join(", ")}`;
    case "anything":
      return field.words ?? "JSON";
    case "source":
      return "the path of a readable file, or - for standard input";
  }
}

class Reading {
  readonly refusals: FieldRefusal[] = [];

  refuse(path: FieldRefusal["path"], field: Field, given: unknown, near?: string): undefined {
    const look = field.look ? { look: field.look } : {};
    this.refusals.push({ path, problem: "invalid", accepted: accepted(field), given, near, ...look });
  }

  value(field: Field, given: unknown, path: FieldRefusal["path"]): unknown {
    // JSON has no way to leave a value out of a place that is named: null is not given.
    if (given === undefined || (given === null && field.kind !== "anything")) {
      if ("default" in field) return field.default;
      if (!field.optional)
        this.refusals.push({ path, problem: "missing", accepted: accepted(field), given, near: undefined });
      return undefined;
    }
    const before = this.refusals.length;
    const value = this.kind(field, given, path);
    if (this.refusals.length > before) return undefined;
    if (field.check && !field.check.test(value as never)) return this.refuse(path, field, given);
    return value;
  }

  private kind(field: Field, given: unknown, path: FieldRefusal["path"]): unknown {
    switch (field.kind) {
      case "text":
        return this.text(field, given, path);
      case "whole":
      case "number":
        return this.number(field, given, path);
      case "flag":
        return typeof given === "boolean" ? given : this.refuse(path, field, given);
      case "choice":
        return this.choice(field, given, path);
      case "list":
        return this.list(field, given, path);
      case "record":
        return this.fields(
          Object.fromEntries(field.keys.map((key) => [key, { ...field.of, optional: true as const }])),
          given,
          path,
          field,
        );
      case "shape":
        return this.fields(field.fields, given, path, field);
      case "anything":
      case "source":
        return given;
    }
  }

  private text(field: TextField, given: unknown, path: FieldRefusal["path"]): unknown {
    const written = field.orNumber && typeof given === "number" ? String(given) : given;
    const value = typeof written === "string" && field.trim ? written.trim() : written;
    const { min = 0, max = Infinity, pattern } = field;
    const fits =
      typeof value === "string" && value.length >= min && value.length <= max && (pattern?.test(value) ?? true);
    return fits ? value : this.refuse(path, field, given);
  }

  private number(field: NumberField, given: unknown, path: FieldRefusal["path"]): unknown {
    const { min = -Infinity, max = Infinity, positive, kind } = field;
    const fits =
      typeof given === "number" &&
      (kind === "whole" ? Number.isSafeInteger(given) : Number.isFinite(given)) &&
      given >= min &&
      given <= max &&
      (!positive || given > 0);
    return fits ? given : this.refuse(path, field, given);
  }

  private choice(field: ChoiceField, given: unknown, path: FieldRefusal["path"]): unknown {
    if (typeof given === "string" && field.values.includes(given)) return given;
    return this.refuse(path, field, given, typeof given === "string" ? nearest(given, field.values) : undefined);
  }

  private list(field: ListField, given: unknown, path: FieldRefusal["path"]): unknown {
    const { min = 0, max = Infinity, of } = field;
    if (!Array.isArray(given) || given.length < min || given.length > max) return this.refuse(path, field, given);
    return given.map((entry: unknown, index) => this.value(of, entry, [...path, index]));
  }

  /** Keys that are not given stay away, where the field is optional and has no default. */
  fields(fields: Fields, given: unknown, path: FieldRefusal["path"], whole?: Field): unknown {
    if (!isRecord(given)) {
      if (whole) return this.refuse(path, whole, given);
      this.refusals.push({ path, problem: "invalid", accepted: "an object", given, near: undefined });
      return undefined;
    }
    const known = Object.keys(fields);
    for (const key of Object.keys(given))
      if (!Object.hasOwn(fields, key))
        this.refusals.push({
          path: [...path, key],
          problem: "unknown",
          accepted: known.join(", "),
          given: given[key],
          near: nearest(key, known),
        });
    const entries = Object.entries(fields).map(
      ([key, field]) => [key, this.value(field, given[key], [...path, key])] as const,
    );
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }
}

export function parseFields(fields: Fields, given: unknown): Parsed {
  const reading = new Reading();
  const value = reading.fields(fields, given, []);
  return reading.refusals.length > 0
    ? { ok: false, refusals: reading.refusals }
    : { ok: true, value: value as Readonly<Record<string, unknown>> };
}
