// The files of a session, copied between its folder and the shared store. Paths inside the folder are stored relative to it.
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import type { SessionFiles } from "../../../core/contract/transport/index.ts";
import { systemCode } from "../../../platform/system/index.ts";
import { writeSpare } from "../sessions/atomic-file.ts";
import type { SessionFolder } from "../sessions/folder.ts";

export interface Note {
  readonly version: number;
  /** A session of this machine: its local files are authoritative. */
  readonly madeHere: boolean;
  /** All files are here, not only the record and the result. */
  readonly whole: boolean;
  /** The time of the record when both copies were equal. */
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
      // A note that cannot be read is ignored: the session is fetched again.
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
/** Programs and people read the paths in these files, so they must be valid on each machine. */
const withPaths = [record, "result.json"];
const here = "session-folder:";
/** Larger files are not copied. */
const mostBytes = 32 << 20;

/** Replaces one prefix by another in every string. Text that a person wrote is not changed. */
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

/** All files of a folder. A file that is being written or was just removed is left out. */
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

/** Writes a session here. The record is written last, so that a reader of it finds the other files. */
export function writeFiles({ dir }: SessionFolder, files: SessionFiles, whole: boolean): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const names = [...files.keys()].filter(isPlain).sort((a, b) => Number(a === record) - Number(b === record));
  for (const name of names)
    writeSpare(join(dir, name), relocate(name, files.get(name) ?? new Uint8Array(), here, dir + sep));
  if (!whole) return;
  for (const entry of readdirSync(dir, { withFileTypes: true }))
    if (entry.isFile() && !files.has(entry.name)) rmSync(join(dir, entry.name), { force: true });
}

/** Names come from the database: nothing outside of the folder is written. */
const isPlain = (name: string): boolean => /^[\w.-]+$/.test(name) && name !== "." && name !== "..";
