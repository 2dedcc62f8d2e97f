// The warnings about a request before its answer is paid for: files that stay out, and too many tokens.
import type { RunRequest } from "../../contract/transport/index.ts";
import { redact } from "../../secrets/index.ts";
import { splitPatterns } from "../files/index.ts";
import { inputBudget } from "../options/models.ts";
import type { PreparedBundle } from "../ports/index.ts";

/** A token is about four characters of a prompt; files are estimated by the bundle itself. */
const charsPerToken = 4;

export const estimateText = (chars: number): number => Math.ceil(chars / charsPerToken);

export const estimateOf = (request: RunRequest, bundle: PreparedBundle): number =>
  estimateText(request.prompt.length) + bundle.report.estimatedTokens;

const plainPath = (pattern: string) => pattern.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");

/** Files and globs that the user named and that cannot be sent. Files that a folder or a glob leaves out are in the report. */
export function leftOut(request: RunRequest, { report }: PreparedBundle): string[] {
  const { own, others } = splitPatterns(request);
  const elsewhere = others.flatMap(({ label, patterns }) => patterns.map((pattern) => `${label}/${pattern}`));
  const named = new Set(
    [...own, ...elsewhere].flatMap((pattern) => [
      pattern,
      plainPath(pattern),
      redact(plainPath(pattern)).text,
    ]),
  );
  return report.excluded
    .filter(({ path, reason }) => named.has(path) && reason !== "excluded_by_pattern")
    .map(({ path, reason }) => `${path} is not sent: ${reason.replaceAll("_", " ")}.`);
}

export function requestWarnings(
  request: RunRequest,
  bundle: PreparedBundle,
  tokens = estimateOf(request, bundle),
): string[] {
  const budget = inputBudget(request.model);
  if (tokens <= budget) return leftOut(request, bundle);
  const largest = [...bundle.files].sort((a, b) => b.tokens - a.tokens).slice(0, 5);
  const names = largest.map(({ path, tokens: cost }) => `${path} (${cost})`).join(", ");
  const files = names === "" ? "" : ` Largest files: ${names}.`;
  return [
    ...leftOut(request, bundle),
    `About ${tokens} tokens are more than the ${budget} that suit ${request.model}.${files}`,
  ];
}
