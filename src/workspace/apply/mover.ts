// A program of its own: carries out one journal, in a session of its own, so that the death of the command that asked for
// it cannot stop it half way. It waits for the word on its standard input and does nothing without it.
import { readSync } from "node:fs";
import process from "node:process";
import { journalPlace, readEnding, readJournal } from "./journal.ts";
import { carryOut } from "./moves.ts";

/** The asking process says `go` once the journal is written; if it dies before, the pipe just ends. */
function waitForWord(): boolean {
  const buffer = Buffer.alloc(16);
  let told = "";
  for (;;) {
    const read = readSync(0, buffer, 0, buffer.length, null);
    if (read === 0) return false;
    told += buffer.toString("latin1", 0, read);
    if (told.includes("\n")) return told.startsWith("go\n");
  }
}

const folder = process.argv[2];
if (folder !== undefined && waitForWord()) {
  const place = journalPlace(folder);
  const journal = readJournal(place);
  // Whoever asked may be gone by now; the result then lies in the checkout and nobody reads this line.
  process.stdout.on("error", () => process.exit(0));
  if (journal && !readEnding(place)) process.stdout.write(`${JSON.stringify(carryOut(journal, place))}\n`);
}
