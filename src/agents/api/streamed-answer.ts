// The result of one turn of a model, in one form for every API.
import type { TokenUsage } from "../../core/contract/transport/index.ts";

/** A tool that the model wants used; `input` is JSON as it came. */
export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

export interface StreamedAnswer {
  readonly text: string;
  /** Said in the place where a refusal is said. */
  readonly refusal: string;
  readonly uses: readonly ToolUse[];
  /** Why it ended, in the server's own word; null when the server did not say. */
  readonly end: string | null;
  readonly usage: TokenUsage | null;
  readonly model: string | null;
  /** Why the stream broke off, when it did. */
  readonly cut: string | null;
  /** The turn in the server's own form, to be sent back with what follows it. */
  readonly turn: unknown;
}

export interface AnswerListener {
  /** The text so far, whole. */
  onText(textSoFar: string): void;
  /** Called for every piece of anything the model produced; may throw to stop listening. */
  onPiece?(characters: number): void;
}
