// What this machine knows about each shared session: the version it has, and whether the session was made here.
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
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
