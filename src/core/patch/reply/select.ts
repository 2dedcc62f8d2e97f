// Answer → the one diff it proposes, or the reason why there is none. Several diffs of different files are one change;
// several diffs of the same file are refused.
import type { ReplyVerdict } from "../../contract/index.ts";
import { type CodeFence, findFences } from "./fences.ts";
import { decodeUtf8, encodeUtf8, fromBytes, toBytes } from "../bytes.ts";
import { judgePatch, type PatchAssessment } from "../judge/judge.ts";
import { pathReason } from "../judge/paths.ts";
import type { Name } from "../model.ts";
import { ensureFinalNewline, mendPatch, plainLineEnds, type Mending } from "../mend.ts";
import { readText } from "../read/read.ts";
import { unsafeNames, type DiffReason } from "./reasons.ts";
import { strictFault } from "./strict.ts";
import { inRanges, onceEach, withoutDrafts, withoutReasoning } from "./thinking.ts";

const header = /(?:^|\n)diff --git /;
const numericHunk = /(?:^|\n)@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/;
const fileLines = /(?:^|\n)--- [^\n]+\n\+\+\+ /;

/** +5 a `diff --git` line, +3 a hunk with numbers, +2 starts with `diff --git`, +1 longer than 200 characters. */
export function scoreBlock(text: string): number {
  return (
    (header.test(text) ? 5 : 0) +
    (numericHunk.test(text) ? 3 : 0) +
    (text.startsWith("diff --git") ? 2 : 0) +
    (text.length > 200 ? 1 : 0)
  );
}

export const hasNumericHunk = (text: string): boolean => numericHunk.test(text);

/** A fence before the header: the block quotes a document that contains a diff. */
const fence = /(?:^|\n)[ \t]{0,3}(?:```|~~~)/;

/** `diff`: has a header. `headless`: has the lines of a diff, but no header that git would read. */
export function diffShape(text: string): "diff" | "headless" | "other" {
  const at = text.search(header);
  if (at === -1) return fileLines.test(text) || numericHunk.test(text) ? "headless" : "other";
  return fence.test(text.slice(0, at)) ? "other" : "diff";
}

const marker = /\bdirectiveAck\b["'`*_]*[ \t]*[:=][ \t]*["'`*_]*([A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9]|[A-Za-z0-9])/g;

/** Every directive that the answer acknowledges outside its diffs. */
export function acknowledged(text: string, diffs: readonly Pick<CodeFence, "start" | "end">[]): Set<string> {
  const found = new Set<string>();
  for (const match of text.matchAll(marker)) {
    const inDiff = inRanges(diffs, match.index);
    if (!inDiff && match[1] !== undefined) found.add(match[1]);
  }
  return found;
}

export interface FencedBlock extends CodeFence {
  readonly score: number;
  readonly shape: "diff" | "headless" | "other";
}

/** A block that looks like a diff, with every path it names. */
interface Candidate extends FencedBlock {
  readonly names: readonly Name[];
}

export interface ReplyOptions {
  /** The answer must acknowledge this directive, and no other. */
  readonly requireAck?: string;
}

export interface SelectOptions extends ReplyOptions {
  /** T-15. */
  readonly strict?: boolean;
  /** T-16. */
  readonly restrictPathPrefix?: string;
  /**
   * Repair counts and mode lines of new files; `mended` names the repairs. On unless false; never in strict mode, where a
   * truncated hunk must not pass as a complete one.
   */
  readonly mend?: boolean;
  /** T-14: at least one hunk with line numbers. On unless false. */
  readonly requireHunk?: boolean;
}

export interface SelectedDiff {
  /** A diff block was found, usable or not. */
  readonly found: boolean;
  /** It may be judged against a tree and applied. */
  readonly valid: boolean;
  readonly reason: DiffReason;
  /** For the user, and for the follow-up prompt. */
  readonly message: string;
  /** The text of the diff, null unless valid. */
  readonly text: string | null;
  /** The same as bytes. */
  readonly patch: Uint8Array | null;
  /** How many fenced blocks the answer has. */
  readonly diffBlocks: number;
  readonly diffScore: number;
  /** The answer was cut off: an unclosed fence. */
  readonly partial: boolean;
  readonly paths: readonly string[];
  readonly mended: readonly Mending[];
  readonly blocks: readonly FencedBlock[];
}

const decode = (bytes: Uint8Array): string => decodeUtf8(fromBytes(bytes));

interface Refusal {
  readonly reason: DiffReason;
  readonly message: string;
}

/** The closing fence is at the end of the last line: the writer meant to close the block, Markdown does not. */
const glued = ({ closed, text }: CodeFence): boolean => !closed && /[^\s`~](?:`{3,}|~{3,})\s*$/.test(text);

const namesIn = (text: string): Name[] => readText(encodeUtf8(plainLineEnds(text))).names.map(({ name }) => name);

function unsafeName(candidates: readonly Candidate[]): Refusal | undefined {
  for (const name of candidates.flatMap(({ names }) => names)) {
    const reason = pathReason(name);
    if (!reason || !unsafeNames.has(reason)) continue;
    return {
      reason: "unsafe_path",
      message: `The diff touches ${JSON.stringify(name.path.slice(0, 120))} (${reason})`,
    };
  }
  return undefined;
}

/** Whether two blocks name the same file, also with another case or Unicode form. */
function overlap(candidates: readonly Candidate[]): boolean {
  const seen = new Set<string>();
  return candidates.some(({ names }) => {
    const paths = new Set(names.map(({ path }) => path.normalize("NFC").toLowerCase()));
    const again = [...paths].some((path) => seen.has(path));
    for (const path of paths) seen.add(path);
    return again;
  });
}

function refuseBlocks(
  blocks: readonly FencedBlock[],
  candidates: readonly Candidate[],
  requireHunk: boolean,
): Refusal | undefined {
  const diffs = candidates.filter(({ shape }) => shape === "diff");
  const unsafe = unsafeName(candidates);
  if (unsafe) return unsafe;
  if (blocks.some(({ closed }) => !closed))
    return { reason: "partial_fence", message: "The answer ends inside a fenced block" };
  if (candidates.length === 0) return { reason: "no_diff_block", message: "No fenced block holds a diff" };
  if (candidates.length > diffs.length)
    return {
      reason: "invalid_diff",
      message: 'A block has the lines of a diff, but no "diff --git a/… b/…" header',
    };
  const several = diffs.length > 1;
  const mixed = diffs.some(({ quoted }) => quoted) || diffs.some(({ text }) => !/^\s*diff --git /.test(text));
  if ((several && (overlap(diffs) || mixed)) || diffs.every(({ quoted }) => quoted))
    return {
      reason: "ambiguous_blocks",
      message: "Several diffs touch the same file, or one of them is only quoted",
    };
  if (requireHunk && !diffs.some(({ text }) => hasNumericHunk(text)))
    return { reason: "no_numeric_hunk", message: "The diff has no hunk with line numbers" };
  return undefined;
}

function refuseAnswer(text: string, blocks: readonly FencedBlock[], options: ReplyOptions): Refusal | undefined {
  if (text.trim() === "") return { reason: "empty", message: "The answer is empty" };
  if (options.requireAck !== undefined) {
    const acks = acknowledged(
      text,
      blocks.filter(({ shape }) => shape === "diff"),
    );
    if (!acks.has(options.requireAck) || acks.size > 1) {
      return {
        reason: "stale_response",
        message: `The answer does not acknowledge directive ${options.requireAck}`,
      };
    }
  }
  return blocks.length === 0 ? { reason: "no_fenced_blocks", message: "The answer has no fenced block" } : undefined;
}

/** Prose inside a block does not belong to a diff: the fence may have been closed too late. */
const hasProse = ({ patch }: PatchAssessment): boolean =>
  patch !== null &&
  [...patch.sections.slice(1).map(({ before }) => before), patch.after].some(
    (gap) => !/^(?:\s*(?:-- \n[^\n]*\n)?\s*)$/.test(gap),
  );

export function judgeDiff(
  text: string | Uint8Array,
  options: SelectOptions,
): { judged: PatchAssessment; refusal: Refusal | undefined } {
  const { restrictPathPrefix } = options;
  const judged = judgePatch(text, {
    requireNumericHunk: options.requireHunk !== false,
    ...(restrictPathPrefix === undefined ? {} : { restrictPathPrefix }),
  });
  const { verdict, reason, message } = judged;
  const strict = options.strict ? strictFault(typeof text === "string" ? text : decode(text)) : undefined;
  if (verdict === "reject")
    return { judged, refusal: { reason: unsafeNames.has(reason) ? "unsafe_path" : reason, message } };
  if (hasProse(judged))
    return {
      judged,
      refusal: { reason: "patch_malformed", message: "The block holds text that is not part of the diff" },
    };
  return { judged, refusal: strict ? { reason: "invalid_diff", message: strict } : undefined };
}

/** The blocks as one diff: CRLF of the transport becomes LF, a missing final newline is added, the rest is unchanged. */
const join = (diffs: readonly FencedBlock[]): string =>
  diffs.map(({ text }) => ensureFinalNewline(plainLineEnds(text))).join("");

/** Quoted output of a program, such as the comparison that a test prints, which is not a diff of files. */
export const isProgramOutput = ({ info, text }: Pick<FencedBlock, "info" | "text">): boolean =>
  /^(?:text|txt|plaintext|console|output|log|shell-session|terminal)\b/i.test(info) &&
  !/(?:^|\n)(?:--- a\/|\+\+\+ b\/)/.test(text);

export function selectDiff(given: string, options: SelectOptions = {}): SelectedDiff {
  const answer = withoutReasoning(given);
  const blocks: FencedBlock[] = withoutDrafts(answer, findFences(answer)).map((fence) => ({
    ...fence,
    score: scoreBlock(fence.text),
    shape: diffShape(fence.text),
  }));
  const candidates: Candidate[] = onceEach(
    blocks.filter((block) => block.shape === "diff" || (block.shape === "headless" && !isProgramOutput(block))),
  ).map((block) => ({
    ...block,
    names: namesIn(block.text),
  }));
  const diffs = candidates.filter(({ shape }) => shape === "diff");
  const base = {
    found: diffs.length > 0,
    valid: false,
    text: null,
    patch: null,
    diffBlocks: blocks.filter((block) => block.closed || glued(block)).length,
    diffScore: diffs.reduce((best, { score }) => Math.max(best, score), 0),
    partial: blocks.some(({ closed }) => !closed),
    paths: [...new Set(diffs.flatMap(({ names }) => names.map(({ path }) => path)))].sort(),
    mended: [],
    blocks,
  } as const;
  const refused =
    refuseAnswer(given, blocks, options) ?? refuseBlocks(blocks, candidates, options.requireHunk !== false);
  if (refused) return { ...base, ...refused };
  let text = join(diffs);
  let { judged, refusal } = judgeDiff(text, options);
  let mended: readonly Mending[] = [];
  if (refusal && options.mend !== false && options.strict !== true) {
    const attempt = mendPatch(text);
    const again = attempt.mended.length > 0 ? judgeDiff(decode(attempt.bytes), options) : undefined;
    if (again && !again.refusal) {
      ({ judged, refusal } = again);
      ({ mended } = attempt);
      text = decode(attempt.bytes);
    }
  }
  if (refusal) return { ...base, ...refusal };
  const { paths, message } = judged;
  return {
    ...base,
    valid: true,
    reason: "ok",
    message,
    text,
    patch: toBytes(encodeUtf8(text)),
    paths,
    mended,
  };
}

interface ReadReply extends ReplyVerdict {
  readonly message: string;
  readonly blocks: readonly FencedBlock[];
}

/** The verdict about an answer without repairs, so that `selected` is exactly what the model wrote. */
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
