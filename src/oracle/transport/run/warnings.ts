// The warnings about a request before its answer is paid for: files that stay out, and too many tokens.
import type { RunRequest } from "../../../core/contract/transport/index.ts";
import { inputBudget } from "../options/models.ts";
import type { PreparedBundle } from "../ports/index.ts";

/** A token is about four characters of a prompt; files are estimated by the bundle itself. */
const charsPerToken = 4;

export const estimateText = (chars: number): number => Math.ceil(chars / charsPerToken);

export const estimateOf = (request: RunRequest, bundle: PreparedBundle): number =>
  estimateText(request.prompt.length) + bundle.report.estimatedTokens;

type Missed = PreparedBundle["missed"][number];

const notSent = ({ given, reason }: Missed): string =>
  `${given} is not sent: ${reason.replaceAll("_", " ")}.`;

/** What the user named itself and cannot be sent. Files that a folder or a glob leaves out are in the report. */
export const leftOut = ({ missed }: PreparedBundle): string[] =>
  missed.filter(({ glob }) => !glob).map(notSent);

export const namedRemedy =
  "Take it out of --file, or name it so that it can be sent: --root for another folder, --max-file-size for a large file, --sanitize-prompt for one with a secret.";

export function requestWarnings(
  request: RunRequest,
  bundle: PreparedBundle,
  tokens = estimateOf(request, bundle),
): string[] {
  const budget = inputBudget(request.model);
  const missed = bundle.missed.map(notSent);
  if (tokens <= budget) return missed;
  const largest = [...bundle.files].sort((a, b) => b.tokens - a.tokens).slice(0, 5);
  const names = largest.map(({ path, tokens: cost }) => `${path} (${cost})`).join(", ");
  const files = names === "" ? "" : ` Largest files: ${names}.`;
  return [
    ...missed,
    `About ${tokens} tokens are more than the ${budget} that suit ${request.model}.${files}`,
  ];
}
