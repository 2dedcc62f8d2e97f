// Sessions that several machines share. Each machine works on the folders of its own sessions and copies every change to
// the shared store; sessions of other machines are fetched when they are read.
import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { FailureError } from "../../../core/contract/index.ts";
import type { SessionFiles, SessionShelf, WriteProblem } from "../../../core/contract/transport/index.ts";
import { sessionFolder, slugPattern, type SessionFolder } from "../sessions/folder.ts";
import { isSessionOpen, type SilentMs } from "../sessions/read.ts";
import { loadRecord } from "../sessions/record.ts";
import { Notes, readFiles, recordTime, writeFiles, type Note } from "./files.ts";

const everyMs = 5_000;

interface SharedRun {
  /** Resolves when the session is stored as it is now, or when that failed. */
  now(): Promise<void>;
  /** Stores the session a last time and returns the problem if there is one. */
  end(): Promise<WriteProblem[]>;
}

export function shareRun(
  exchange: Exchange | undefined,
  folder: SessionFolder,
  log: (line: string) => void,
): SharedRun {
  if (!exchange) return { now: async () => undefined, end: async () => [] };
  let last: Promise<string | undefined> = Promise.resolve(undefined);
  let reported = "";
  const keep = (): Promise<string | undefined> => {
    last = last.then(async () => {
      try {
        await exchange.keep(folder);
        return undefined;
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        if (problem !== reported) log(`the session is only on this machine so far: ${problem}`);
        reported = problem;
        return problem;
      }
    });
    return last;
  };
  const beats = setInterval(() => void keep(), everyMs);
  beats.unref();
  return {
    now: async () => void (await keep()),
    end: async () => {
      clearInterval(beats);
      const problem = await keep();
      if (problem === undefined) return [];
      const message = `the shared store: ${problem} The session is in ${folder.dir}; the next \`oracle status\` here sends it.`;
      return [{ target: "shared_store", message }];
    },
  };
}

const heads = ["session.json", "result.json"];
const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("base64");

export class Exchange {
  readonly #home: string;
  readonly #shelf: () => Promise<SessionShelf>;
  readonly #notes: Notes;
  /** The hashes of the files that the shared store has of the sessions of this process. */
  readonly #sent = new Map<string, Map<string, string>>();
  readonly #silent = new Map<string, number>();

  constructor(home: string, shelf: () => Promise<SessionShelf>) {
    this.#home = home;
    this.#shelf = shelf;
    this.#notes = new Notes(home);
  }

  /** The time since the last heartbeat of a session of another machine, by the clock of the shared store. */
  readonly silentMs: SilentMs = (id) => (this.#notes.get(id)?.madeHere === false ? this.#silent.get(id) : undefined);

  /** Adds a new session of this machine to the shared store; false when its name is taken there. */
  async add(folder: SessionFolder): Promise<boolean> {
    const recordAt = recordTime(folder);
    const files = readFiles(folder);
    const added = await (await this.#shelf()).add(folder.id, files);
    if (added) this.#same(folder, { version: 1, madeHere: true, whole: true, recordAt }, files);
    return added;
  }

  /** Stores a session as it is now. A session that is not in the shared store stays local. */
  async keep(folder: SessionFolder): Promise<void> {
    const note = this.#notes.get(folder.id);
    if (!note?.whole) return;
    const recordAt = recordTime(folder);
    const files = readFiles(folder);
    const sent = this.#sent.get(folder.id);
    const changed = new Map([...files].filter(([name, bytes]) => sent?.get(name) !== hashOf(bytes)));
    const gone = [...(sent?.keys() ?? ["answer.partial.md"])].filter((name) => !files.has(name));
    const expected = note.madeHere ? undefined : note.version;
    const version = await (await this.#shelf()).save(folder.id, { files: changed, gone, expected });
    // Another machine changed this session first: its files are fetched at the next read.
    if (version !== undefined) this.#same(folder, { ...note, version, recordAt }, files);
  }

  /** Synchronizes: fetches the changes of the shared store and sends local changes. */
  async refresh(): Promise<void> {
    const shelf = await this.#shelf();
    const listed = await shelf.list();
    const there = new Set(listed.map(({ id }) => id));
    for (const id of this.#notes.ids()) if (!there.has(id)) this.#forget(id);
    for (const { id, silentMs } of listed) this.#silent.set(id, silentMs);
    const newer = listed.filter(({ id, version }) => {
      const note = this.#notes.get(id);
      return slugPattern.test(id) && !note?.madeHere && (note?.version ?? 0) < version;
    });
    for (const found of await shelf.load(
      newer.map(({ id }) => id),
      heads,
    )) {
      const folder = this.#write(found, false);
      const loaded = folder && loadRecord(folder);
      if (loaded?.kind === "ok" && isSessionOpen(loaded.record)) await this.fetch(found.id);
    }
    await this.keepChanged();
  }

  /** Fetches one session with all of its files. */
  async fetch(id: string): Promise<void> {
    const note = this.#notes.get(id);
    if (note?.madeHere || !slugPattern.test(id)) return this.keepChanged();
    const [found] = await (await this.#shelf()).load([id]);
    if (!found) return note && this.#forget(id);
    this.#silent.set(id, found.silentMs);
    if (note?.version !== found.version || !note.whole) this.#write(found, true);
  }

  /** Stores sessions that a read found ended. An open session is stored by its own process. */
  async keepChanged(): Promise<void> {
    for (const id of this.#notes.ids()) {
      const folder = sessionFolder(this.#home, id);
      if (this.#notes.get(id)?.recordAt === recordTime(folder)) continue;
      const loaded = loadRecord(folder);
      if (loaded.kind !== "ok" || isSessionOpen(loaded.record)) continue;
      try {
        await this.keep(folder);
      } catch (error) {
        // The next read sends it; the result of this read is valid.
        if (!(error instanceof FailureError) || error.failure.code !== "store_unreachable") throw error;
        return;
      }
    }
  }

  async remove(id: string): Promise<void> {
    if (!this.#notes.get(id)) return;
    await (await this.#shelf()).remove(id);
    this.#notes.drop(id);
  }

  #write(found: { id: string; version: number; files: SessionFiles }, whole: boolean): SessionFolder | undefined {
    const folder = sessionFolder(this.#home, found.id);
    // A folder without a note was created before the machines shared a store: it is not changed.
    if (!this.#notes.get(found.id) && existsSync(folder.dir)) return undefined;
    const note = { version: whole ? found.version : 0, madeHere: false, whole };
    this.#notes.set(found.id, { ...note, version: 0, recordAt: 0 });
    writeFiles(folder, found.files, whole);
    this.#notes.set(found.id, { ...note, version: found.version, recordAt: recordTime(folder) });
    return folder;
  }

  #same(folder: SessionFolder, note: Note, files: SessionFiles): void {
    this.#notes.set(folder.id, note);
    this.#sent.set(folder.id, new Map([...files].map(([name, bytes]) => [name, hashOf(bytes)])));
  }

  /** Removed on another machine. A session that runs here is not removed. */
  #forget(id: string): void {
    const folder = sessionFolder(this.#home, id);
    const loaded = loadRecord(folder);
    if (this.#notes.get(id)?.madeHere && loaded.kind === "ok" && isSessionOpen(loaded.record)) return;
    rmSync(folder.dir, { recursive: true, force: true });
    this.#notes.drop(id);
  }
}
