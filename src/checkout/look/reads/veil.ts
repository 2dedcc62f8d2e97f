// What happens to a text with a secret in it: its places are replaced, or, where it would leave the machine, all of it.
import { redact, type SecretOptions } from "../../../secrets/index.ts";
import type { Redact } from "../guest/read.ts";

export interface Veil {
  readonly redact: Redact;
  /** Places that were taken out so far. */
  taken(): number;
}

export const withheld = (file: string): string =>
  `[${file} is not shown: something in it looks like a secret]`;

export function createVeil(how: "redact" | "withhold", options: SecretOptions): Veil {
  let count = 0;
  return {
    redact(text, file) {
      const { text: clean, matches } = redact(text, { ...options, file });
      count += matches.length;
      return matches.length > 0 && how === "withhold" ? withheld(file) : clean;
    },
    taken: () => count,
  };
}
