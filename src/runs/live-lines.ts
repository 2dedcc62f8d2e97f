// The last lines that the check or the agent of a run has written, for people who look on from another process. They lie in a
// small file while the run moves, without secrets, and are gone with the process; the record holds the whole output.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plainLine } from "../contract/index.ts";
import { systemCode } from "../system/index.ts";

const mostLines = 40;
/** So often the file is written, at most. */
const everyMs = 250;

const fileOf = (stateDir: string, runId: string): string => join(stateDir, "live", `${runId}.txt`);

export interface LiveLines extends Disposable {
  add(line: string): void;
}

export function writeLiveLines(
  stateDir: string,
  runId: string,
  redact: (text: string) => Promise<string>,
): LiveLines {
  const file = fileOf(stateDir, runId);
  const lines: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const write = async () => {
    timer = undefined;
    const text = await redact(lines.join("\n"));
    if (over) return;
    mkdirSync(join(stateDir, "live"), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.new`, text, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  return {
    add(line) {
      lines.push(plainLine(line, 400));
      if (lines.length > mostLines) lines.shift();
      // A disk that is full must not stop a run for a line that nobody has to read.
      timer ??= setTimeout(() => void write().catch(() => undefined), everyMs);
      timer.unref();
    },
    [Symbol.dispose]() {
      over = true;
      clearTimeout(timer);
      rmSync(file, { force: true });
      rmSync(`${file}.new`, { force: true });
    },
  };
}

/** None when nothing is at work that writes. */
export function readLiveLines(stateDir: string, runId: string): readonly string[] {
  try {
    return readFileSync(fileOf(stateDir, runId), "utf8").split("\n").filter(Boolean);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}
