// What of a file may be shown: the whole text is looked at for secrets first, so that no cut hides one from us.
import { redact, type SecretOptions } from "../../../secrets/index.ts";
import { readShowable } from "../files.ts";
import { readBounds } from "./shapes.ts";

export interface ReadPlace {
  readonly top: string;
  /** `withhold`: a text with something in it that looks like a secret is not shown at all. */
  readonly secrets: "redact" | "withhold";
  readonly options: SecretOptions;
}

export type Cleaned =
  | { readonly shown: true; readonly text: string; readonly redactions: number }
  | { readonly shown: false; readonly why: string };

export function clean(place: ReadPlace, text: string, what: string): Cleaned {
  const { text: cleaned, matches } = redact(text, place.options);
  if (matches.length > 0 && place.secrets === "withhold")
    return { shown: false, why: `${what} is not shown: something in it looks like a secret.` };
  return { shown: true, text: cleaned, redactions: matches.length };
}

export function cleanFile(place: ReadPlace, path: string): Cleaned {
  const text = readShowable(place.top, path);
  if (text === undefined)
    return {
      shown: false,
      why: `${JSON.stringify(path)} cannot be read here: it is missing, no text, too large, outside, or of a kind that is never shown.`,
    };
  return clean(place, text, path);
}

/** Cut at a line's end, and never in the middle of a character. */
export function bounded(lines: readonly string[], note: string): string {
  const kept: string[] = [];
  let left: number = readBounds.resultBytes;
  for (const line of lines) {
    left -= Buffer.byteLength(line) + 1;
    if (left < 0) return [...kept, note].join("\n");
    kept.push(line);
  }
  return kept.join("\n");
}
