// Hides secrets in a text: their places are replaced, or, where the text would leave the machine, all of it.
import { findSecrets, redact, type SecretOptions } from "../../../../core/secrets/index.ts";

export interface Veil {
  readonly redact: (text: string, file: string) => string;
  /** The secrets of a file, as they stand in it. */
  readonly secretsIn: (text: string, file: string) => string[];
  /** A text with a secret in it is not shown at all. */
  readonly withholds: boolean;
  /** Places that were taken out so far. */
  taken(): number;
}

export const withheld = (file: string): string =>
  `[${file} is not shown: something in it looks like a secret]`;

export function createVeil(how: "redact" | "withhold", options: SecretOptions = {}): Veil {
  let count = 0;
  return {
    redact(text, file) {
      const { text: clean, matches } = redact(text, { ...options, file });
      count += matches.length;
      return matches.length > 0 && how === "withhold" ? withheld(file) : clean;
    },
    secretsIn(text, file) {
      const found = findSecrets(text, { ...options, file });
      count += found.length;
      return found.map(({ start, end }) => text.slice(start, end));
    },
    withholds: how === "withhold",
    taken: () => count,
  };
}
