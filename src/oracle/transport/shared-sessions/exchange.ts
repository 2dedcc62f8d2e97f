// Sessions that several machines see. Each machine works on the folders of its own sessions, which are kept on the shelf as
// they change; the sessions of others are fetched when somebody looks.
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
  /** Resolves when the session is kept as it is now, or when that did not work. */
  now(): Promise<void>;
  /** The last word; answers the problem if there is one. */
  end(): Promise<WriteProblem[]>;
}

export function shareRun(
  exchange: Exchange | undefined,
  folder: SessionFolder,
  log: (line: string) => void,
): SharedRun {
  if (!exchange) return { now: async () => undefined, end: async () => [] };
  let last: Promise<string | undefined> = Promise.resolve(undefined);
  let told = "";
  const keep = (): Promise<string | undefined> => {
    last = last.then(async () => {
      try {
        await exchange.keep(folder);
        return undefined;
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        if (problem !== told) log(`the session is only on this machine so far: ${problem}`);
        told = problem;
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
      const message = `the shared store: ${problem} The session lies in ${folder.dir}; the next \`oracle status\` here sends it.`;
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
  /** What the shelf has of the sessions that this process works on. */
  readonly #sent = new Map<string, Map<string, string>>();
  readonly #silent = new Map<string, number>();

  constructor(home: string, shelf: () => Promise<SessionShelf>) {
    this.#home = home;
    this.#shelf = shelf;
    this.#notes = new Notes(home);
  }

  /** How long a session of another machine has given no sign of life, by the clock that all machines share. */
  readonly silentMs: SilentMs = (id) =>
    this.#notes.get(id)?.madeHere === false ? this.#silent.get(id) : undefined;

  /** Puts a new session of this machine on the shelf; false when its name is taken there. */
  async add(folder: SessionFolder): Promise<boolean> {
    const recordAt = recordTime(folder);
    const files = readFiles(folder);
    const added = await (await this.#shelf()).add(folder.id, files);
    if (added) this.#same(folder, { version: 1, madeHere: true, whole: true, recordAt }, files);
    return added;
  }

  /** Keeps a session as it is here now. A session that is not on the shelf stays where it is. */
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
    // Another machine was first with its word on this session: its files are fetched at the next look.
    if (version !== undefined) this.#same(folder, { ...note, version, recordAt }, files);
  }

  /** Brings everything up to date: what changed there comes here, what changed here goes there. */
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

  /** Brings one session here with all of its files. */
  async fetch(id: string): Promise<void> {
    const note = this.#notes.get(id);
    if (note?.madeHere || !slugPattern.test(id)) return this.keepChanged();
    const [found] = await (await this.#shelf()).load([id]);
    if (!found) return note && this.#forget(id);
    this.#silent.set(id, found.silentMs);
    if (note?.version !== found.version || !note.whole) this.#write(found, true);
  }

  /** A look may have found that a session has ended: that is kept too. An open session is kept by its own process. */
  async keepChanged(): Promise<void> {
    for (const id of this.#notes.ids()) {
      const folder = sessionFolder(this.#home, id);
      if (this.#notes.get(id)?.recordAt === recordTime(folder)) continue;
      const loaded = loadRecord(folder);
      if (loaded.kind !== "ok" || isSessionOpen(loaded.record)) continue;
      try {
        await this.keep(folder);
      } catch (error) {
        // The next look sends it; what was looked at is true all the same.
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

  #write(
    found: { id: string; version: number; files: SessionFiles },
    whole: boolean,
  ): SessionFolder | undefined {
    const folder = sessionFolder(this.#home, found.id);
    // A folder without a note was made here before the machines shared anything: it is never touched.
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

  /** Removed on another machine. A session that works here is never removed. */
  #forget(id: string): void {
    const folder = sessionFolder(this.#home, id);
    const loaded = loadRecord(folder);
    if (this.#notes.get(id)?.madeHere && loaded.kind === "ok" && isSessionOpen(loaded.record)) return;
    rmSync(folder.dir, { recursive: true, force: true });
    this.#notes.drop(id);
  }
}
