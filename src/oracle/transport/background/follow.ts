// Follows a session that another process runs: its log as it grows, until it has ended or its process has (T-30).
import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { systemCode } from "../../../platform/system/index.ts";
import type { SessionFolder } from "../sessions/folder.ts";
import { type SessionState, type SilentMs, isSessionOpen, readSession } from "../sessions/read.ts";

const every = 100;
const chunk = 64 << 10;

/** Reads what a growing file got since the last call. */
class Tail {
  readonly #path: string;
  readonly #decoder = new StringDecoder("utf8");
  #at = 0;
  #rest = "";

  constructor(path: string) {
    this.#path = path;
  }

  lines(): string[] {
    let fd: number;
    try {
      fd = openSync(this.#path, "r");
    } catch (error) {
      if (systemCode(error) === "ENOENT") return [];
      throw error;
    }
    try {
      const buffer = Buffer.alloc(chunk);
      for (let got = chunk; got > 0;) {
        got = readSync(fd, buffer, 0, chunk, this.#at);
        this.#at += got;
        this.#rest += this.#decoder.write(buffer.subarray(0, got));
      }
    } finally {
      closeSync(fd);
    }
    const found = this.#rest.split("\n");
    this.#rest = found.pop() ?? "";
    return found;
  }
}

/** Ends early when the signal fires. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
  });
}

/** Tells the answer so far whenever its file has changed. The file comes with the first words and goes with the last. */
function wordsOf(path: string, onText: (textSoFar: string) => void): () => void {
  let seen = 0;
  return () => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats || stats.ino === seen) return;
    seen = stats.ino;
    try {
      onText(readFileSync(path, "utf8"));
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw error;
    }
  };
}

export interface FollowedSession {
  readonly folder: SessionFolder;
  readonly now: () => number;
  readonly onLine: (line: string) => void;
  readonly onText?: (textSoFar: string) => void;
  readonly signal: AbortSignal;
  /** Brings the session up to date where another machine works on it. */
  readonly refresh?: () => Promise<void>;
  readonly silentMs?: SilentMs;
}

/** Another machine is asked less often than a file. */
const refreshEvery = 10;

/** Resolves when the session has ended, or with its present state when the signal fires. */
export async function followSession(following: FollowedSession): Promise<SessionState> {
  const { folder, now, onLine, onText, signal, refresh, silentMs } = following;
  const tail = new Tail(folder.log);
  const words = onText && wordsOf(folder.partial, onText);
  for (let looks = 1; ; looks += 1) {
    if (looks % refreshEvery === 0) await refresh?.();
    // The state is read before the log, so that the last lines of an ended run are not missed.
    const seen = readSession(folder, now(), silentMs);
    for (const line of tail.lines()) onLine(line);
    words?.();
    if (!isSessionOpen(seen.record) || signal.aborted) return seen;
    await pause(every, signal);
  }
}
