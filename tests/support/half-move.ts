// A checkout in the middle of a move whose processes are gone: the first file is away, the second is not touched yet.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { journalLocation, printOf, writeJournal, type Print } from "../../src/workspace/checkout/apply/journal.ts";
import { carryOutMoves } from "../../src/workspace/checkout/apply/moves.ts";

class Died extends Error {}

/** The files of the checkout with their new contents; `half`: the process that carries it out dies on the way. */
export function layMove(
  top: string,
  folder: string,
  files: Readonly<Record<string, string>>,
  { half = false, steps: last = 2 } = {},
): void {
  for (const name of ["new", "old", "gone"]) mkdirSync(join(folder, name), { recursive: true });
  const place = journalLocation(folder);
  const moves = Object.entries(files).map(([path, content], index) => {
    writeFileSync(place.staged(index), content);
    return { path, old: printOf(join(top, path)) as Print, new: printOf(place.staged(index)) as Print };
  });
  const journal = { version: 1 as const, id: folder, top, fromTree: "", toTree: "", moves, makes: [] };
  writeJournal(place, journal);
  if (!half) return;
  let steps = 0;
  try {
    carryOutMoves(journal, place, () => {
      if (++steps === last) throw new Died();
    });
  } catch (error) {
    if (!(error instanceof Died)) throw error;
  }
}
