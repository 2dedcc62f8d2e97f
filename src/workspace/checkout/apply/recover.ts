// The first step of every command: finish, or undo, an integration whose processes died.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { stateHome, type Repository } from "../../../platform/git/index.ts";
import { stateSubfolder } from "../worktree/index.ts";
import {
  clearJournal,
  dropJournal,
  journalLocation,
  journalOfCheckout,
  readEnding,
  type MoveResult,
} from "./journal.ts";
import { tryLockApplies } from "./lock.ts";
import { carryOutMoves } from "./moves.ts";

interface Recovery extends MoveResult {
  readonly id: string;
  readonly folder: string;
  readonly paths: readonly string[];
}

const applyFolder = (repository: Repository) => join(stateHome(repository), "apply");

/** Whether there has ever been an integration into this checkout. */
export const hasApplied = (repository: Repository): boolean => existsSync(applyFolder(repository));

/** Costs one read of a folder when there is nothing to do. A move of a living process is left to it. */
export async function recoverApplies(repository: Repository, waitMs = 0): Promise<Recovery[]> {
  const base = applyFolder(repository);
  if (!existsSync(base) || pending(base).length === 0) return [];
  const lock = await tryLockApplies(stateSubfolder(repository, "apply"), waitMs);
  if (!lock) return [];
  try {
    return recoverLocked(base, repository.top);
  } finally {
    lock.release();
  }
}

/** The same for a caller that holds the lock. */
export function recoverLocked(base: string, top: string): Recovery[] {
  return pending(base).flatMap((id) => recoverOne(base, id, top));
}

function pending(base: string): string[] {
  return readdirSync(base, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .filter((id) => readEnding(journalLocation(join(base, id)))?.ending !== "conflict");
}

/** `top`: the checkout that holds the journal, whatever its name was when the journal was written. */
function recoverOne(base: string, id: string, top: string): Recovery[] {
  const folder = join(base, id);
  const location = journalLocation(folder);
  const ended = readEnding(location);
  const journal = ended ? undefined : journalOfCheckout(location, top);
  if (!journal) {
    // It ended, or died while it was still preparing: the checkout was not touched.
    dropJournal(location, top);
    return [];
  }
  const result = carryOutMoves(journal, location);
  clearJournal(location, top);
  return [{ id, folder, paths: journal.moves.map((move) => move.path), ...result }];
}
