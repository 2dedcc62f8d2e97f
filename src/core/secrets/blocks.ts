// Splits a text into blocks whose borders depend only on its content, and finds the secrets of each block with a margin
// on both sides. The result is the same for a whole text and for a stream, and at most a block and its margins is kept.
import { findInWindow } from "./find.ts";
import { type SecretOptions, type FoundSecret, reach } from "./rule.ts";
import { keyBodyEnd } from "./rules/private-key.ts";

const defaultBlockSize = 262_144;
const marginBefore = 4096;

/** A part of the text with its secrets. All offsets count from the start of the whole text. */
export interface TextBlock {
  readonly text: string;
  readonly at: number;
  /** Sorted; the first starts after the last one of the previous block; the last may extend past the end of this block. */
  readonly found: readonly FoundSecret[];
}

interface Blocks {
  /** Adds text and returns the blocks that are complete; with `last`, all remaining ones. */
  readonly push: (chunk: string, last: boolean) => TextBlock[];
  /** Returns the complete lines so far. A secret across that border may be missed. A private key without its end stays. */
  readonly flush: () => TextBlock[];
}

export function createBlocks(options: SecretOptions, blockSize = defaultBlockSize): Blocks {
  /** The part of the text that is kept, and its offset in the whole text. */
  let held = "";
  let heldAt = 0;
  let blockAt = 0;
  let hiddenTo = 0;
  let openKey = false;

  const judge = (window: string, blockEnd: number): FoundSecret[] => {
    const found: FoundSecret[] = [];
    const windowEnd = heldAt + window.length;
    const add = (one: FoundSecret) => {
      const start = Math.max(one.start, hiddenTo);
      if (start >= blockEnd || one.end <= start) return;
      found.push({ ...one, start });
      hiddenTo = one.end;
      openKey = one.label === "private_key" && one.end === windowEnd;
    };
    if (openKey) {
      openKey = false;
      const end = heldAt + keyBodyEnd(window, hiddenTo - heldAt).end;
      add({ label: "private_key", rank: 1, start: hiddenTo, end });
    }
    for (const one of findInWindow(window, options)) add({ ...one, start: one.start + heldAt, end: one.end + heldAt });
    return found;
  };

  const take = (blockEnd: number, found: readonly FoundSecret[]): TextBlock => {
    const block = { text: held.slice(blockAt - heldAt, blockEnd - heldAt), at: blockAt, found };
    blockAt = blockEnd;
    const drop = Math.max(0, blockAt - marginBefore - heldAt);
    held = held.slice(drop);
    heldAt += drop;
    return block;
  };

  return {
    push(chunk, last) {
      held += chunk;
      const blocks: TextBlock[] = [];
      const enough = last ? 1 : blockSize + 2 * reach;
      while (heldAt + held.length - blockAt >= enough) {
        const blockEnd = heldAt + borderAfter(held, blockAt - heldAt, blockSize);
        blocks.push(take(blockEnd, judge(held.slice(0, blockEnd - heldAt + reach), blockEnd)));
      }
      return blocks;
    },
    flush() {
      const blockEnd = heldAt + held.lastIndexOf("\n") + 1;
      if (blockEnd <= blockAt || openKey) return [];
      const window = held.slice(0, blockEnd - heldAt);
      const open = findInWindow(window, options).find(
        ({ label, end }) => label === "private_key" && end >= window.trimEnd().length,
      );
      const border = open ? heldAt + open.start : blockEnd;
      return border > blockAt ? [take(border, judge(window.slice(0, border - heldAt), border))] : [];
    },
  };
}

/** The end of the block that starts at `at`: after the next line end within `reach`, else at its full size. */
function borderAfter(text: string, at: number, blockSize: number): number {
  const full = at + blockSize;
  if (full >= text.length) return text.length;
  const line = text.slice(full, full + reach).indexOf("\n");
  if (line >= 0) return full + line + 1;
  const code = text.charCodeAt(full - 1);
  return code >= 0xd8_00 && code < 0xdc_00 ? full + 1 : full;
}
