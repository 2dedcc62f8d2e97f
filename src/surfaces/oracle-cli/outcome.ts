// Prints the result of a run: the answer or the diff on stdout, notes on stderr; and the preview of a dry run.
import { dollars, plainText } from "../../core/contract/index.ts";
import type { Preview, RunOutcome, RunResult } from "../../core/contract/transport/index.ts";
import type { Io } from "../argv/index.ts";
import type { AnswerStream } from "./program.ts";

const shownExclusions = 20;
const cost = (usd: number | null) => (usd === null ? "" : `, ${dollars(usd)} before the answer`);

export function printPreview(io: Io, preview: Preview, files: boolean): void {
  const { bundle, tokens } = preview;
  const lines = [
    `Engine: ${preview.engine} (${preview.model})`,
    `Target: ${preview.target}`,
    ...(preview.remote === null ? [] : [`Browser of: ${preview.remote}`]),
    ...(preview.effort === null ? [] : [`Effort: ${preview.effort}`]),
    ...(preview.tool === null ? [] : [`Tool: ${preview.tool === "research" ? "Deep Research" : "web search"}`]),
    `Prompt: ${preview.promptChars} characters`,
    ...(preview.nextCount === 0 ? [] : [`Further questions: ${preview.nextCount}`]),
    `Bundle format: ${bundle.format}`,
    `Files: ${bundle.fileCount}`,
    `Uncompressed bytes: ${bundle.uncompressedBytes}`,
    ...(bundle.plannedPath === null ? [] : [`Planned temporary ZIP: ${bundle.plannedPath}`]),
    `Tokens: ${tokens.exact ? "" : "about "}${tokens.count} of ${tokens.budget}${cost(tokens.inputUsd)}`,
    ...preview.attachments.map(({ name, bytes, mediaType }) => `Attached: ${name} (${mediaType}, ${bytes} bytes)`),
    `Secrets: ${preview.secretScan.matches.join(", ") || "none found"}`,
  ];
  io.out(`${lines.map(plainText).join("\n")}\n`);
  if (bundle.excluded.length > 0) printExcluded(io, bundle.excluded);
  if (files) printFiles(io.out, preview);
  if (bundle.plannedPath !== null) io.out(`Manifest: ${JSON.stringify(bundle.manifest, null, 2)}\n`);
  for (const warning of preview.warnings) io.err(`warning: ${plainText(warning)}\n`);
  if (preview.refusal !== null) io.err(`A run would be refused: ${plainText(preview.refusal)}\n`);
  io.out("Nothing was sent.\n");
}

function printExcluded(io: Io, excluded: Preview["bundle"]["excluded"]): void {
  io.out(`Left out: ${excluded.length}\n`);
  for (const { path, reason } of excluded.slice(0, shownExclusions)) io.out(`  ${plainText(path)} (${reason})\n`);
  if (excluded.length > shownExclusions) io.out(`  … and ${excluded.length - shownExclusions} more\n`);
}

function printFiles(write: (text: string) => void, preview: Preview): void {
  const rows = [...preview.bundle.files].sort((a, b) => b.tokens - a.tokens);
  for (const { path, tokens, bytes } of rows)
    write(`${String(tokens).padStart(9)} tokens ${String(bytes).padStart(10)} bytes  ${plainText(path)}\n`);
}

const ended = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

export function printAnswer(io: Io, outcome: RunOutcome, stream?: AnswerStream): void {
  // A file or a pipe gets every byte; a terminal gets no escape sequences of a model.
  const shown = (text: string) => (io.terminal ? plainText(text) : text);
  if (outcome.record.options.diff.emitOnly) io.out(shown(outcome.diff ?? ""));
  else if (outcome.answer !== null) {
    const whole = ended(outcome.answer);
    io.out(shown(stream?.rest(whole) ?? whole));
  }
}

const charsPerToken = 4;
const tokens = (count: number | null) => (count === null ? "?" : String(count));

/** Tokens and cost of a run that was answered, in one line. */
function spent({ usage, costUsd, engine, promptChars, responseChars }: RunResult): string | null {
  if (usage !== null) {
    const thought = usage.reasoningTokens ? ` (${usage.reasoningTokens} of them thinking)` : "";
    const cost = costUsd === null ? "price unknown" : `about ${dollars(costUsd)}`;
    return `tokens: ${tokens(usage.inputTokens)} in, ${tokens(usage.outputTokens)} out${thought}; ${cost}`;
  }
  if (engine !== "browser" || responseChars === 0) return null;
  const [sent, got] = [promptChars, responseChars].map((chars) => Math.ceil(chars / charsPerToken));
  return `tokens: about ${sent} in, ${got} out; paid by the plan of the page`;
}

/** Prints everything except the answer. */
export function printEnd(io: Io, outcome: RunOutcome): void {
  for (const { message } of outcome.problems) io.err(`warning: could not write ${message}\n`);
  printVerdict(io, outcome.result);
  if (outcome.unsaved !== undefined) io.err(`warning: the state could not be saved: ${outcome.unsaved}\n`);
}

export function printVerdict(io: Io, result: RunResult): void {
  for (const warning of result.warnings) io.err(`warning: ${plainText(warning)}\n`);
  const where = result.sessionId === null ? "" : ` (session ${result.sessionId})`;
  if (result.status === "success") {
    const done = [
      result.applyMode === "check" ? "checked only, nothing was applied (--apply-mode apply does it)" : null,
      result.diffPath === null ? null : `diff ${result.diffPath}`,
      result.commitSha === null ? null : `commit ${result.commitSha} on ${result.branch ?? "a detached HEAD"}`,
      result.pushed ? "pushed" : null,
    ].filter((part) => part !== null);
    io.err(`${["success", ...done].join(", ")}${where}\n`);
  } else {
    const why = [
      result.diffReason,
      result.gitApplyError,
      result.gitCommitError,
      result.error === null ? null : result.error.message,
    ].filter((part) => part !== null);
    io.err(`oracle: ${result.status}${why.length > 0 ? `: ${plainText(why.join("; "))}` : ""}${where}\n`);
    if (result.error?.remedy) io.err(`→ ${plainText(result.error.remedy)}\n`);
  }
  const cost = spent(result);
  if (cost !== null) io.err(`${cost}\n`);
  if (result.gitPushError !== null) io.err(`not pushed: ${plainText(result.gitPushError)}\n`);
  if (result.secretScan.status === "matches_detected")
    io.err(`secrets found: ${result.secretScan.matches.join(", ")}\n`);
}
