// session.json: created before anything is sent, read by its schema, written whole (T-6, T-8); and turns.json.
import { readFileSync, rmSync } from "node:fs";
import { z } from "zod";
import { fail, type LeaseOwner } from "../../../core/contract/index.ts";
import type { History, RunRequest, SessionRecord } from "../../../core/contract/transport/index.ts";
import { sessionSchema } from "../../../core/contract/transport/schema/index.ts";
import { writeJson } from "./atomic-file.ts";
import { noSession } from "./missing.ts";
import { refuseUpstream } from "./upstream.ts";
import { claimFolder, slugFromPrompt, slugFromWords, type SessionFolder } from "./folder.ts";

interface NewSession {
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
  const next = (request.next ?? []).map(redact);
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
        ...(request.next === undefined ? {} : { next }),
        diff: {
          ...request.diff,
          followupPrompt: request.diff.followupPrompt && redact(request.diff.followupPrompt),
        },
        slug: request.slug && redact(request.slug),
        git: {
          ...request.git,
          commitMessage: request.git.commitMessage && redact(request.git.commitMessage),
        },
        promptRedacted: [prompt, ...next].join("\0") !== [request.prompt, ...(request.next ?? [])].join("\0"),
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

const schema = z.array(z.object({ role: z.enum(["user", "assistant"]), content: z.string() }));

export const writeTurns = (folder: SessionFolder, turns: History): void => writeJson(folder.turns, turns);

/** The turns of an answered session. */
export function readTurns(folder: SessionFolder): History {
  let text: string;
  try {
    text = readFileSync(folder.turns, "utf8");
  } catch {
    return fail("invalid_input", `Session "${folder.id}" kept no conversation that can be continued.`, {
      remedy: "Give its answer as a file instead: -f answer.md",
    });
  }
  const parsed = schema.safeParse(JSON.parse(text));
  if (parsed.success && parsed.data.at(-1)?.role === "assistant") return parsed.data;
  return fail("invalid_input", `Session "${folder.id}" has no answer that a conversation could go on from.`, {
    remedy: "Wait for its answer, or ask anew.",
  });
}

type LoadedRecord =
  | { readonly kind: "ok"; readonly record: SessionRecord }
  | { readonly kind: "absent" }
  | { readonly kind: "unreadable"; readonly why: string };

export function loadRecord(folder: SessionFolder): LoadedRecord {
  let text: string;
  try {
    text = readFileSync(folder.session, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return { kind: "absent" };
    return { kind: "unreadable", why: error instanceof Error ? error.message : String(error) };
  }
  try {
    const parsed = sessionSchema.safeParse(JSON.parse(text));
    return parsed.success
      ? { kind: "ok", record: parsed.data }
      : { kind: "unreadable", why: parsed.error.issues[0]?.message ?? "it does not fit its schema" };
  } catch (error) {
    return { kind: "unreadable", why: error instanceof Error ? error.message : String(error) };
  }
}

export function mustLoad(folder: SessionFolder): SessionRecord {
  const loaded = loadRecord(folder);
  if (loaded.kind === "ok") return loaded.record;
  refuseUpstream(folder);
  if (loaded.kind === "absent") return noSession(folder);
  return fail("store_corrupt", `${folder.session} cannot be read: ${loaded.why}.`, {
    remedy: `Look at the folder, then remove it with: oracle clear ${folder.id}`,
  });
}

/** The record of a session this process owns: every change is on disk when `update` returns. */
export class LiveRecord {
  #record: SessionRecord;
  readonly folder: SessionFolder;
  readonly #now: () => number;

  constructor(folder: SessionFolder, record: SessionRecord, now: () => number) {
    this.folder = folder;
    this.#record = record;
    this.#now = now;
  }

  get current(): SessionRecord {
    return this.#record;
  }

  update(change: Partial<Omit<SessionRecord, "id" | "schemaVersion" | "createdAt">>): void {
    this.#record = { ...this.#record, ...change, updatedAt: new Date(this.#now()).toISOString() };
    writeJson(this.folder.session, this.#record);
  }
}
