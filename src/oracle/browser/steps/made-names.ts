// Names for files that a page made: given by a page, so only a plain name of them is kept.
import { existsSync } from "node:fs";
import { join } from "node:path";

const byType: Readonly<Record<string, string>> = {
  "image/png": ".png",
  "image/jpeg": ".jpg",
  "image/gif": ".gif",
  "image/webp": ".webp",
  "image/svg+xml": ".svg",
};

const begins = (bytes: Uint8Array, ...start: readonly number[]): boolean =>
  start.every((value, at) => bytes[at] === value);

/** By its first bytes, else by what the site said. */
export function endingOf(bytes: Uint8Array, type: string): string {
  if (begins(bytes, 0x89, 0x50, 0x4e, 0x47)) return ".png";
  if (begins(bytes, 0xff, 0xd8, 0xff)) return ".jpg";
  if (begins(bytes, 0x47, 0x49, 0x46)) return ".gif";
  if (begins(bytes, 0x52, 0x49, 0x46, 0x46) && bytes[8] === 0x57) return ".webp";
  return byType[type] ?? ".bin";
}

const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** No folder, no control character, no leading dot, not too long. */
export function plainName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? "";
  const plain = last
    .normalize("NFC")
    .replaceAll(/[\p{C}<>:"|?*]/gu, "_")
    .replace(/^[.\s-]+/, "")
    .replace(/[.\s]+$/, "");
  const name = plain === "" || reserved.test(plain) ? `file-${plain}`.replace(/-$/, "") : plain;
  const dot = name.lastIndexOf(".");
  const ending = dot > 0 && name.length - dot <= 12 ? name.slice(dot) : "";
  return name.length <= 100 ? name : `${name.slice(0, 100 - ending.length)}${ending}`;
}

export class FileNames {
  readonly #used = new Set<string>();

  /** A name that no file of this answer or of an earlier one has. */
  free(given: string, folder: string): string {
    const name = plainName(given);
    const dot = name.lastIndexOf(".");
    const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
    for (let count = 1; ; count += 1) {
      const one = count === 1 ? name : `${stem}-${count}${ending}`;
      if (this.#used.has(one.toLowerCase()) || existsSync(join(folder, one))) continue;
      this.#used.add(one.toLowerCase());
      return one;
    }
  }
}
