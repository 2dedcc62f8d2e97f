// The files of a session on their way between its folder here and the shelf. Paths inside of the folder travel without it.
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import type { SessionFiles } from "../../../core/contract/transport/index.ts";
import { systemCode } from "../../../platform/system/index.ts";
import { writeSpare } from "../sessions/atomic-file.ts";
import type { SessionFolder } from "../sessions/folder.ts";

export interface Note {
  readonly version: number;
  /** A session of this machine: its files here are the truth. */
  readonly madeHere: boolean;
  /** All files are here, not only the record and the result. */
  readonly whole: boolean;
  /** The time of the record when both sides were the same. */
  readonly recordAt: number;
}

const ending = ".json";

/** The time of the record; 0 where there is none. */
export const recordTime = (folder: SessionFolder): number =>
  statSync(folder.session, { throwIfNoEntry: false })?.mtimeMs ?? 0;

export class Notes {
  readonly #dir: string;

  constructor(home: string) {
    this.#dir = join(home, "shared");
  }

  get(id: string): Note | undefined {
    try {
      return JSON.parse(readFileSync(this.#path(id), "utf8")) as Note;
    } catch (error) {
      // A note that cannot be read is no note: the session is fetched again.
      if (error instanceof SyntaxError || systemCode(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  set(id: string, note: Note): void {
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    writeSpare(this.#path(id), JSON.stringify(note));
  }

  drop(id: string): void {
    rmSync(this.#path(id), { force: true });
  }

  ids(): string[] {
    try {
      return readdirSync(this.#dir)
        .filter((name) => name.endsWith(ending))
        .map((name) => name.slice(0, -ending.length));
    } catch (error) {
      if (systemCode(error) === "ENOENT") return [];
      throw error;
    }
  }

  #path(id: string): string {
    return join(this.#dir, `${id}${ending}`);
  }
}

const record = "session.json";
/** Their paths are read by programs and people, so they must be true on each machine. */
const withPaths = [record, "result.json"];
const here = "session-folder:";
/** A file this big is no answer; it stays on its machine. */
const mostBytes = 32 << 20;

/** Every string that begins with one text, beginning with the other one. What a person wrote is left alone. */
function moved(value: unknown, from: string, to: string): unknown {
  if (typeof value === "string") return value.startsWith(from) ? to + value.slice(from.length) : value;
  if (Array.isArray(value)) return value.map((item) => moved(item, from, to));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === "options" ? item : moved(item, from, to)]),
  );
}

function relocate(name: string, bytes: Uint8Array, from: string, to: string): Uint8Array {
  if (!withPaths.includes(name)) return bytes;
  const text = JSON.stringify(moved(JSON.parse(Buffer.from(bytes).toString("utf8")), from, to), null, 2);
  return Buffer.from(`${text}\n`, "utf8");
}

/** All files of a folder as they are now. One that is being written or was removed in this moment is left out. */
export function readFiles({ dir }: SessionFolder): SessionFiles {
  const files = new Map<string, Uint8Array>();
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (!entry.isFile() || entry.name.endsWith(".tmp")) continue;
    try {
      const bytes = readFileSync(join(dir, entry.name));
      if (bytes.length <= mostBytes) files.set(entry.name, relocate(entry.name, bytes, dir + sep, here));
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw error;
    }
  }
  return files;
}

/** Writes a session here. The record comes last: who reads it finds the rest. */
export function writeFiles({ dir }: SessionFolder, files: SessionFiles, whole: boolean): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const names = [...files.keys()].filter(isPlain).sort((a, b) => Number(a === record) - Number(b === record));
  for (const name of names)
    writeSpare(join(dir, name), relocate(name, files.get(name) ?? new Uint8Array(), here, dir + sep));
  if (!whole) return;
  for (const entry of readdirSync(dir, { withFileTypes: true }))
    if (entry.isFile() && !files.has(entry.name)) rmSync(join(dir, entry.name), { force: true });
}

/** A name comes from the database: nothing outside of the folder is ever written. */
const isPlain = (name: string): boolean => /^[\w.-]+$/.test(name) && name !== "." && name !== "..";
