// Has a journal carried out by the mover, and finishes it here when the mover dies: only the death of both at once is
// left to the recovery at the next start.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fail } from "../../contract/index.ts";
import { journalPlace, readEnding, readJournal, type MoveResult } from "./journal.ts";
import type { ApplyLock } from "./lock.ts";
import { carryOutMoves } from "./moves.ts";

const deadlineMs = 120_000;

/** In the source tree a TypeScript file, in the bundle a program beside the others. */
function moverProgram(): string | undefined {
  const here = import.meta.dirname;
  return [join(here, "mover.ts"), join(here, "apply-mover.js"), join(here, "..", "apply-mover.js")].find(
    (path) => existsSync(path),
  );
}

interface Mover {
  /** Carries out the journal that has been written by now. */
  go(lock: ApplyLock): Promise<MoveResult>;
  /** There is nothing to carry out. */
  dismiss(): void;
}

/** Started early, so that its start-up passes while git works. */
export function startMover(folder: string): Mover {
  const program = moverProgram();
  const first = program === undefined ? undefined : launch(program, folder);
  return {
    go: async (lock) => {
      lock.lend();
      const told = program === undefined ? undefined : await askAgain(program, folder, first);
      await lock.takeBack();
      return told ?? finishHere(folder);
    },
    dismiss: () => first?.stdin?.end(),
  };
}

/** A mover that dies is followed by another one, as long as each gets further than the one before. */
async function askAgain(
  program: string,
  folder: string,
  first: ChildProcess | undefined,
): Promise<MoveResult | undefined> {
  let told = first && (await ask(first));
  for (let before = -1; !told && !readEnding(journalPlace(folder));) {
    const now = progressOf(folder);
    if (now <= before) break;
    before = now;
    told = await ask(launch(program, folder));
  }
  return told;
}

/** How many files have been taken away or put in place. */
function progressOf(folder: string): number {
  const put = readdirSync(join(folder, "new")).map((name) => lstatSync(join(folder, "new", name)).nlink - 1);
  return readdirSync(join(folder, "old")).length + put.reduce((sum, links) => sum + links, 0);
}

function launch(program: string, folder: string): ChildProcess {
  const child = spawn(process.execPath, [program, folder], {
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
    env: {},
    cwd: "/",
    windowsHide: true,
  });
  // A mover that cannot start or breaks its pipe is seen by its exit; the journal is then carried out here.
  child.on("error", () => undefined);
  child.stdin?.on("error", () => undefined);
  child.unref();
  return child;
}

function ask(child: ChildProcess): Promise<MoveResult | undefined> {
  return new Promise((resolve) => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
      resolve(undefined);
      return;
    }
    child.ref();
    let told = "";
    const timer = setTimeout(() => child.kill("SIGKILL"), deadlineMs);
    child.stdout?.on("data", (chunk: Buffer) => (told += chunk.toString("utf8")));
    child.on("close", () => {
      clearTimeout(timer);
      resolve(told.endsWith("\n") ? (JSON.parse(told) as MoveResult) : undefined);
    });
    child.stdin?.end("go\n");
  });
}

/** The mover is gone without a word. Either it had finished and could not say so, or the journal is carried out here. */
function finishHere(folder: string): MoveResult {
  const place = journalPlace(folder);
  const ended = readEnding(place);
  if (ended) return ended;
  const journal = readJournal(place);
  if (journal) return carryOutMoves(journal, place);
  return fail("git_failed", `The journal in ${folder} is gone.`, {
    remedy: "Look at the folder and the work tree.",
  });
}
