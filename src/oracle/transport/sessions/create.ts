// Opens a session: claims its folder and writes the first session.json before anything else happens (T-6, T-8).
import { rmSync } from "node:fs";
import type { LeaseOwner } from "../../../core/contract/index.ts";
import type { RunRequest } from "../../../core/contract/transport/index.ts";
import { claimFolder } from "./folder.ts";
import { LiveRecord } from "./record.ts";
import { slugFromPrompt, slugFromWords } from "./slug.ts";

export interface NewSession {
  readonly home: string;
  readonly request: RunRequest;
  readonly now: () => number;
  readonly owner: LeaseOwner;
  readonly redact: (text: string) => string;
  readonly restartedFrom?: string;
}

const previewLength = 160;

export function createSession({ home, request, now, owner, redact, restartedFrom }: NewSession): LiveRecord {
  // The name and the stored prompt come from the redacted text: a secret must not end up in a folder name.
  const prompt = redact(request.prompt);
  const slug = request.slug === null ? slugFromPrompt(prompt) : slugFromWords(redact(request.slug));
  const folder = claimFolder(home, slug);
  const at = new Date(now()).toISOString();
  const live = new LiveRecord(
    folder,
    {
      schemaVersion: 1,
      id: folder.id,
      createdAt: at,
      updatedAt: at,
      startedAt: null,
      endedAt: null,
      status: "pending",
      promptPreview: prompt.replaceAll(/\s+/g, " ").trim().slice(0, previewLength),
      model: request.model,
      cwd: request.cwd,
      mode: request.engine,
      options: {
        ...request,
        prompt,
        diff: {
          ...request.diff,
          followupPrompt: request.diff.followupPrompt && redact(request.diff.followupPrompt),
        },
        slug: request.slug && redact(request.slug),
        git: {
          ...request.git,
          commitMessage: request.git.commitMessage && redact(request.git.commitMessage),
        },
        promptRedacted: prompt !== request.prompt,
      },
      usage: null,
      process: owner,
      heartbeatAt: null,
      stage: "created",
      conversation: null,
      restartedFrom: restartedFrom ?? null,
      temporary: [],
      error: null,
      made: null,
    },
    now,
  );
  try {
    live.update({});
  } catch (error) {
    rmSync(folder.dir, { recursive: true, force: true });
    throw error;
  }
  return live;
}
