// The change that an answer proposes in a form of its own: which files, and which lines by their text instead of by number.
// Paths and lines are byte strings.
import { decodeUtf8 } from "../bytes.ts";
import type { DiffReason } from "../reply/reasons.ts";

/** What had to be undone or translated to get a canonical patch. The last one of a list names the conversion. */
const conversions = [
  "apply_patch",
  "search_replace",
  "unified_diff",
  "unnumbered_hunks",
  "whole_file",
  "rename_or_mode",
  "unfenced",
  "json",
  "tags",
  "nested_fence",
  "escaped_html",
] as const;
export type Conversion = (typeof conversions)[number];

/** `diffReason` of a diff that was converted. */
export const conversionReasons = conversions.map((conversion) => `converted_${conversion}` as const);

export interface Refusal {
  readonly reason: DiffReason;
  readonly message: string;
}

export const isRefusal = (value: object): value is Refusal => "reason" in value;

/** Lines to find in a file and what they become: each line has a mark (blank, + or -) and no line end. */
export interface Chunk {
  /** Lines above it that say where to look, in order. */
  readonly anchors: readonly string[];
  readonly lines: readonly { readonly mark: " " | "+" | "-"; readonly text: string }[];
  /** It reaches to the end of the file. */
  readonly atEnd: boolean;
}

export type FileChange =
  /** `lines` have no line ends. */
  | { readonly kind: "add"; readonly path: string; readonly lines: readonly string[] }
  | { readonly kind: "delete"; readonly path: string }
  /** `parts`: chunks that follow each other in the file; different parts come in any order. */
  | {
      readonly kind: "update";
      readonly path: string;
      readonly moveTo: string | null;
      readonly parts: readonly (readonly Chunk[])[];
    }
  | { readonly kind: "replace"; readonly path: string; readonly lines: readonly string[] }
  /** A section of a patch with its header, as text. */
  | { readonly kind: "section"; readonly path: string; readonly text: string };

export const refuse = (reason: DiffReason, message: string): Refusal => ({ reason, message });

/** A path or a line for a message. */
export const shown = (bytes: string): string => JSON.stringify(decodeUtf8(bytes).slice(0, 120));
