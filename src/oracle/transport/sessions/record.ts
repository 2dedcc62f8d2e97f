// session.json on disk: read by its schema, written whole (T-8).
import { readFileSync } from "node:fs";
import { fail } from "../../../core/contract/index.ts";
import type { SessionRecord } from "../../../core/contract/transport/index.ts";
import { sessionSchema } from "../../../core/contract/transport/schema/index.ts";
import { writeJson } from "./atomic-file.ts";
import type { SessionFolder } from "./folder.ts";

export type LoadedRecord =
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
  if (loaded.kind === "absent")
    return fail("not_found", `There is no session "${folder.id}".`, {
      remedy: "List them with: oracle status",
    });
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
