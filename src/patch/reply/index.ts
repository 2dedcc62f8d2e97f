// The door to the answer side: fenced blocks of a reply → the one diff it proposes, or the reason why there is none.
import type { ReplyVerdict } from "../../contract/index.ts";
import type { PatchReason } from "../reasons.ts";

const pending = (name: string): never => {
  throw new Error(`${name} is not built yet`);
};

export type DiffReason =
  | "ok"
  | "empty"
  | "no_fenced_blocks"
  | "no_diff_block"
  | "partial_fence"
  | "no_numeric_hunk"
  | "ambiguous_blocks"
  | "unsafe_path"
  | "outside_prefix"
  | "stale_response"
  | "invalid_diff"
  | PatchReason;

export interface FencedBlock {
  readonly info: string;
  /** Content without the fence's indentation and container markers, line ends as they came. */
  readonly text: string;
  readonly closed: boolean;
  /** It stands inside a block quote. */
  readonly quoted: boolean;
  readonly score: number;
  /** Offsets of the whole block in the answer, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

export interface ReplyOptions {
  /** The answer must acknowledge this directive, and no other. */
  readonly requireAck?: string;
}

export const extractReply = (
  _text: string,
  _options: ReplyOptions = {},
): ReplyVerdict & { readonly blocks: readonly FencedBlock[] } => pending("extractReply");

export interface SelectOptions extends ReplyOptions {
  /** T-15. */
  readonly strict?: boolean;
  /** T-16. */
  readonly restrictPathPrefix?: string;
  /** Recompute hunk counts where the body leaves no doubt; what was mended is in `mended`. On unless false. */
  readonly mend?: boolean;
}

export interface SelectedDiff {
  /** A diff block was found, usable or not. */
  readonly found: boolean;
  /** It may be applied. */
  readonly valid: boolean;
  readonly reason: DiffReason;
  /** For a person and for the follow-up prompt. */
  readonly message: string;
  /** The patch to apply, null unless valid. */
  readonly patch: Uint8Array | null;
  readonly diffBlocks: number;
  readonly diffScore: number;
  /** The answer was cut off: an unclosed fence. */
  readonly partial: boolean;
  readonly paths: readonly string[];
  readonly mended: readonly string[];
}

export const selectDiff = (_answer: string, _options: SelectOptions = {}): SelectedDiff =>
  pending("selectDiff");
