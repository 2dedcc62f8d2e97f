// Numbers in options.
import { fail } from "../../contract/index.ts";
import type { Flags } from "./spec.ts";

/** A whole number above zero, or undefined when the option is not given. */
export function wholeNumber(flags: Flags, name: string): number | undefined {
  const text = flags.text(name);
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text))
    fail("invalid_input", `--${name} cannot be "${text}".`, { remedy: "Give a whole number above zero." });
  return Number(text);
}

/** A whole number, zero among them, or undefined when the option is not given. */
export const countOf = (flags: Flags, name: string): number | undefined =>
  flags.text(name) === "0" ? 0 : wholeNumber(flags, name);

/** Any number above zero, or undefined when the option is not given. */
export function positiveNumber(flags: Flags, name: string): number | undefined {
  const text = flags.text(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,12}(\.\d{1,6})?$/.test(text) || Number(text) === 0)
    fail("invalid_input", `--${name} cannot be "${text}".`, { remedy: "Give a number above zero." });
  return Number(text);
}
