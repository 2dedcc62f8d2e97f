// Which label of a page is the requested model. Whole labels only: "GPT-5 mini" is another model than "GPT-5".
import type { OptionLook } from "../shapes.ts";

/** Letters, digits and dots; everything else separates words. */
const plain = (label: string): string =>
  label
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}.]+/gu, " ")
    .trim();

/** "3.8 Flash" without its version: pages show the version in the menu and leave it out on the button. */
const withoutVersion = (label: string): string => plain(label).replace(/^\d+(\.\d+)* (?=\S)/, "");

export const sameLabel = (left: string, right: string): boolean => plain(left) === plain(right);

/** A request that names no version accepts every version; a request that names one accepts only that one. */
const fits = (label: string, requested: string): boolean =>
  sameLabel(label, requested) || withoutVersion(label) === plain(requested);

export const fitsOne = (label: string, requested: readonly string[]): boolean =>
  requested.some((one) => fits(label, one));

/** The button agrees with the chosen option: the same label, where either may lack the version. */
export const agreesWith = (shown: string, chosen: string): boolean =>
  sameLabel(shown, chosen) || plain(shown) === withoutVersion(chosen);

/** The option with a requested label: the same label first, else the only one that differs by its version. */
export function pickModel(options: readonly OptionLook[], requested: readonly string[]): OptionLook | null {
  const choices = options.filter(({ submenu }) => !submenu);
  for (const one of requested) {
    const exact = choices.find(({ label }) => sameLabel(label, one));
    if (exact) return exact;
  }
  const versions = choices.filter(({ label }) => fitsOne(label, requested));
  return versions.length === 1 ? (versions[0] ?? null) : null;
}
