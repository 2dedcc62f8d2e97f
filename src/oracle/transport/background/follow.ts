// A session that another process runs: followed by its log until the session or its process has ended (T-30), or
// cancelled: SIGTERM first, so that the process can write its result, and SIGKILL after 15 s.
import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import process from "node:process";
import { StringDecoder } from "node:string_decoder";
import { fail } from "../../../core/contract/index.ts";
import { isAlive, systemCode } from "../../../platform/system/index.ts";
import type { SessionFolder } from "../sessions/folder.ts";
import { isSessionOpen, readSession, type SessionState, type SilentMs } from "../sessions/read.ts";

const graceMs = 15_000;
const cancelPollMs = 50;

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // The process ended a moment ago.
    if (systemCode(error) !== "ESRCH") throw error;
  }
}

export async function cancelSession(
  folder: SessionFolder,
  now: () => number,
  silentMs?: SilentMs,
): Promise<SessionState> {
  const first = readSession(folder, now(), silentMs);
  if (!isSessionOpen(first.record)) return first;
  const owner = first.record.process;
  if (owner === null || isAlive(owner) === undefined)
    return fail("conflict", `Session "${folder.id}" runs on another machine or in another container.`, {
      remedy: `Cancel it there (${owner?.host ?? "unknown"}).`,
    });
  signalTo(owner.pid, "SIGTERM");
  const deadline = Date.now() + graceMs;
  for (;;) {
    const seen = readSession(folder, now(), silentMs);
    if (!isSessionOpen(seen.record)) return seen;
    // Another process may have the pid by now; only the owner gets the signal.
    const late = Date.now() - deadline;
    if (late > 0 && isAlive(owner) === true) signalTo(owner.pid, "SIGKILL");
    if (late > graceMs)
      return fail("conflict", `The process of "${folder.id}" (pid ${owner.pid}) does not end.`, {
        remedy: "It hangs in the system, perhaps on a lost disk; inspect it with ps.",
      });
    await pause(cancelPollMs);
  }
}

const pollMs = 100;
const chunk = 64 << 10;

/** Reads the lines that were appended to a file since the last call. */
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
function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end, { once: true });
  });
}

/** Passes on the answer so far whenever its file has changed. The file exists only while the answer is incomplete. */
function answerReader(path: string, onText: (textSoFar: string) => void): () => void {
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

interface FollowedSession {
  readonly folder: SessionFolder;
  readonly now: () => number;
  readonly onLine: (line: string) => void;
  readonly onText?: (textSoFar: string) => void;
  readonly signal: AbortSignal;
  /** Fetches the session where another machine runs it. */
  readonly refresh?: () => Promise<void>;
  readonly silentMs?: SilentMs;
}

/** The shared store is read once in so many polls of the files. */
const refreshEvery = 10;

/** Resolves when the session has ended, or with its present state when the signal fires. */
export async function followSession(following: FollowedSession): Promise<SessionState> {
  const { folder, now, onLine, onText, signal, refresh, silentMs } = following;
  const tail = new Tail(folder.log);
  const readAnswer = onText && answerReader(folder.partial, onText);
  for (let polls = 1; ; polls += 1) {
    if (polls % refreshEvery === 0) await refresh?.();
    // The state is read before the log, so that the last lines of an ended run are not missed.
    const seen = readSession(folder, now(), silentMs);
    for (const line of tail.lines()) onLine(line);
    readAnswer?.();
    if (!isSessionOpen(seen.record) || signal.aborted) return seen;
    await pause(pollMs, signal);
  }
}
