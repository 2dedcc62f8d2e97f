// The text as blocks whose borders depend on its content only. Each block is judged with a margin on both sides, so the
// result is the same whether the text comes whole or in pieces, and no more than a block and its margins is held.
import { findInWindow } from "./find.ts";
import { type SecretOptions, type FoundSecret, reach } from "./rule.ts";
import { keyBodyEnd } from "./rules/private-key.ts";

const defaultBlockSize = 262_144;
const marginBefore = 4096;

/** A judged part of the text. All offsets count from the start of the whole. */
export interface TextBlock {
  readonly text: string;
  readonly at: number;
  /** Sorted, none before the end of the last one of the block before; the last may reach over this block's end. */
  readonly found: readonly FoundSecret[];
}

interface Blocks {
  /** Takes more text and gives the blocks that are complete; with `last`, all that is left. */
  readonly push: (chunk: string, last: boolean) => TextBlock[];
  /** Gives the complete lines held, at the price that a secret over that border may be missed. An open key is kept. */
  readonly flush: () => TextBlock[];
}

export function createBlocks(options: SecretOptions, blockSize = defaultBlockSize): Blocks {
  /** The held part of the text, and where it starts in the whole. */
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
    for (const one of findInWindow(window, options))
      add({ ...one, start: one.start + heldAt, end: one.end + heldAt });
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

/** The end of the block that starts at `at`: after a line end where one is near, else at its full size. */
function borderAfter(text: string, at: number, blockSize: number): number {
  const full = at + blockSize;
  if (full >= text.length) return text.length;
  const line = text.slice(full, full + reach).indexOf("\n");
  if (line >= 0) return full + line + 1;
  const code = text.charCodeAt(full - 1);
  return code >= 0xd8_00 && code < 0xdc_00 ? full + 1 : full;
}
