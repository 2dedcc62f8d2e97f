// The first message of a run: the prompt and its files, inside it as text or as one attachment; and the warnings about it.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { EngineMessage, RunRequest } from "../../../core/contract/transport/index.ts";
import { attachmentsOf } from "../files/attachments.ts";
import { inputBudget, mostInput } from "../options/models.ts";
import type { PreparedBundle } from "../ports.ts";
import { writeAtomic } from "../sessions/atomic-file.ts";
import type { LiveRecord } from "../sessions/record.ts";

/** A token is about four characters of a prompt; files are estimated by the bundle itself. */
const charsPerToken = 4;

export const estimateText = (chars: number): number => Math.ceil(chars / charsPerToken);

export const estimateOf = (request: RunRequest, bundle: PreparedBundle): number =>
  estimateText(request.prompt.length) + bundle.report.estimatedTokens;

type Missed = PreparedBundle["missed"][number];

const notSent = ({ given, reason }: Missed): string => `${given} is not sent: ${reason.replaceAll("_", " ")}.`;

/** Files that the user named and that cannot be sent. Files that a folder or a glob leaves out are in the report. */
export const leftOut = ({ missed }: PreparedBundle): string[] => missed.filter(({ glob }) => !glob).map(notSent);

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
  return [...missed, `About ${tokens} tokens are more than the ${budget} that suit ${request.model}.${files}`];
}

/** A request over an API that is larger than the model's input is refused there, after it was sent and perhaps paid. */
export function overBudget(request: RunRequest, tokens: number): string | null {
  const most = request.api === null || request.force === true ? undefined : mostInput(request.model);
  if (most === undefined || tokens <= most) return null;
  return `About ${tokens} tokens are more than the ${inputBudget(request.model)} that ${request.model} takes.`;
}

export const budgetRemedy = "Leave out files, see --files-report, or send it as it is with --force.";

/** A page's composer takes about this much; more goes as a file. */
const inlineChars = 60_000;

/** Z-11. */
export const zipLine = "The attached ZIP is a context package: start with oracle-context-package/CONTEXT_PACKAGE.md.";
const textLine = "The files that belong to this request are in the attached oracle-context.md.";

/** The path of the temporary ZIP; a dry run shows it too. */
export const plannedZip = (temporary: string) => join(temporary, "oracle-context-package.zip");

/** The file is recorded before it exists, so that it can be removed after a crash. */
function announce(live: LiveRecord, path: string): void {
  live.update({ temporary: [...live.current.temporary, path] });
  mkdirSync(live.folder.temporary, { recursive: true, mode: 0o700 });
}

async function zipMessage(prompt: string, bundle: PreparedBundle, live: LiveRecord): Promise<EngineMessage> {
  const path = plannedZip(live.folder.temporary);
  announce(live, path);
  const { bytes } = await bundle.zip(path);
  return {
    prompt: `${prompt}\n\n${zipLine}`,
    attachments: [{ name: "oracle-context-package.zip", path, bytes, mediaType: "application/zip" }],
  };
}

export async function composeMessage(
  request: RunRequest,
  prompt: string,
  bundle: PreparedBundle,
  live: LiveRecord,
): Promise<EngineMessage> {
  const named = attachmentsOf(request);
  const message = await withFiles(request, prompt, bundle, live);
  return { ...message, attachments: [...message.attachments, ...named] };
}

async function withFiles(
  request: RunRequest,
  prompt: string,
  bundle: PreparedBundle,
  live: LiveRecord,
): Promise<EngineMessage> {
  if (bundle.report.fileCount === 0) return { prompt, attachments: [] };
  if (bundle.report.format === "zip") return await zipMessage(prompt, bundle, live);
  const text = (await bundle.text()) ?? "";
  const whole = `${prompt}\n\n${text}`;
  if (request.engine === "api" || whole.length <= inlineChars) return { prompt: whole, attachments: [] };
  const path = join(live.folder.temporary, "oracle-context.md");
  announce(live, path);
  writeAtomic(path, text);
  const bytes = Buffer.byteLength(text);
  return {
    prompt: `${prompt}\n\n${textLine}`,
    attachments: [{ name: "oracle-context.md", path, bytes, mediaType: "text/markdown" }],
  };
}
