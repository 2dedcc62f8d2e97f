// A program of its own: carries out one journal, in a session of its own, so that the death of the command that asked for
// it cannot stop it half way. It waits for the word on its standard input and does nothing without it.
import { dirname } from "node:path";
import process from "node:process";
import { kernelLock } from "../../../platform/system/index.ts";
import { journalLocation, readEnding, readJournal, readyLine } from "./journal.ts";
import { moverLockFile } from "./lock.ts";
import { carryOutMoves } from "./moves.ts";

/** The parent process sends `go` once the journal is written; if it dies before, the pipe just ends. */
async function waitForWord(): Promise<boolean> {
  let input = "";
  for await (const chunk of process.stdin) {
    input += String(chunk);
    if (input.includes("\n")) break;
  }
  return input.startsWith("go\n");
}

async function move(folder: string): Promise<void> {
  // The parent process may be gone by now; the result is then in the checkout and these lines have no reader.
  process.stdout.on("error", () => undefined);
  process.stdout.write(readyLine);
  if (!(await waitForWord())) return;
  // A recovery may have been faster. It holds this lock, and then there is nothing left to carry out.
  const lock = await kernelLock(moverLockFile(dirname(folder)), 120_000);
  if (!lock) return;
  const location = journalLocation(folder);
  const journal = readJournal(location);
  const result = journal && !readEnding(location) ? carryOutMoves(journal, location) : undefined;
  lock.release();
  if (result) process.stdout.write(`${JSON.stringify(result)}\n`);
}

const folder = process.argv[2];
if (folder !== undefined) void move(folder);
