// The first message of a run: the prompt and its files, as text inside it or as one attachment beside it.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { EngineMessage, RunRequest } from "../../../core/contract/transport/index.ts";
import { attachmentsOf } from "../files/index.ts";
import { writeAtomic } from "../sessions/atomic-file.ts";
import type { LiveRecord } from "../sessions/record.ts";
import type { PreparedBundle } from "../ports/index.ts";

/** A page's composer takes about this much; more goes as a file. */
const inlineChars = 60_000;

/** Z-11. */
export const zipLine =
  "The attached ZIP is a context package: start with oracle-context-package/CONTEXT_PACKAGE.md.";
const textLine = "The files that belong to this request are in the attached oracle-context.md.";

/** Where the temporary ZIP would lie; also shown by a dry run. */
export const plannedZip = (temporary: string) => join(temporary, "oracle-context-package.zip");

/** The file is on the record before it exists, so that whoever finds a dead run can remove it. */
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
