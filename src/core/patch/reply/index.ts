// The door to the answer side: fenced blocks of a reply → the one diff it proposes, or the reason why there is none.
import type { ReplyVerdict } from "../../contract/index.ts";
import { selectDiff, type FencedBlock, type ReplyOptions } from "./select.ts";

export { diffReasons, replyReasons } from "./reasons.ts";
export { findFences } from "./fences.ts";
export { scoreBlock } from "./select.ts";
export { selectDiff, type SelectedDiff } from "./select.ts";
export { pathsOutside, strictFault } from "./strict.ts";

interface ReadReply extends ReplyVerdict {
  readonly message: string;
  readonly blocks: readonly FencedBlock[];
}

/** The verdict over an answer as it stands: nothing is mended, so that `selected` is what was written. */
export function extractReply(text: string, options: ReplyOptions = {}): ReadReply {
  const {
    text: selected,
    reason,
    message,
    diffBlocks,
    diffScore,
    blocks,
  } = selectDiff(text, { ...options, mend: false });
  return { selected, reason, message, diffBlocks, diffScore, blocks };
}
