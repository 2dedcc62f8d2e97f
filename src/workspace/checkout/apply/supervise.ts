// Has a journal carried out by the mover, and finishes it here when the mover dies: only the death of both at once is
// left to the recovery at the next start.
import { spawn, type ChildProcess } from "node:child_process";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fail } from "../../../core/contract/index.ts";
import { findInstalled } from "../../../platform/system/index.ts";
import { journalLocation, readEnding, readJournal, readyLine, type MoveResult } from "./journal.ts";
import type { ApplyLock } from "./lock.ts";
import { carryOutMoves } from "./moves.ts";

const deadlineMs = 120_000;
/** Node never comes to its first line where the system lets it have too few threads. */
const startMs = 15_000;

const moverProgram = (): string | undefined => findInstalled("apply-mover.js", "src/workspace/checkout/apply/mover.ts");

interface Mover {
  /** Carries out the journal that has been written by now. */
  go(lock: ApplyLock): Promise<MoveResult>;
  /** There is nothing to carry out. */
  dismiss(): void;
}

/** Started early, so that its start-up passes while git works. */
export function startMover(folder: string, program = moverProgram(), patienceMs = startMs): Mover {
  const first = program === undefined ? undefined : launch(program, folder);
  return {
    go: async (lock) => {
      lock.lend();
      const outcome = program === undefined ? undefined : await askAgain(program, folder, first, patienceMs);
      await lock.takeBack();
      return outcome ?? finishHere(folder);
    },
    // It never got `go`, and a mover that hangs would not see the end of its input.
    dismiss: () => void first?.kill("SIGKILL"),
  };
}

/** A mover that dies is followed by another one, as long as each gets further than the one before. */
async function askAgain(
  program: string,
  folder: string,
  first: ChildProcess | undefined,
  patienceMs: number,
): Promise<MoveResult | undefined> {
  let outcome = first && (await ask(first, patienceMs));
  for (let before = -1; !isOver(outcome) && !readEnding(journalLocation(folder));) {
    const now = progressOf(folder);
    if (now <= before) break;
    before = now;
    outcome = await ask(launch(program, folder), patienceMs);
  }
  return typeof outcome === "object" ? outcome : undefined;
}

/** It reported its result, or it could not start: then another one cannot either. */
const isOver = (outcome: MoverOutcome): boolean => outcome !== undefined;

/** How many files have been taken away or put in place. */
function progressOf(folder: string): number {
  const put = readdirSync(join(folder, "new")).map((name) => lstatSync(join(folder, "new", name)).nlink - 1);
  return readdirSync(join(folder, "old")).length + put.reduce((sum, links) => sum + links, 0);
}

function launch(program: string, folder: string): ChildProcess {
  const child = spawn(process.execPath, ["--v8-pool-size=1", program, folder], {
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

/** The result, or nothing when it died on the way. */
type MoverOutcome = MoveResult | "never ready" | undefined;

function ask(child: ChildProcess, patienceMs: number): Promise<MoverOutcome> {
  return new Promise((resolve) => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
      resolve(undefined);
      return;
    }
    child.ref();
    let output = "";
    let late = false;
    const kill = () => child.kill("SIGKILL");
    let timer = setTimeout(() => (late = kill()), patienceMs);
    child.stdout?.on("data", (chunk: Buffer) => {
      const ready = output.startsWith(readyLine);
      output += chunk.toString("utf8");
      if (ready || !output.startsWith(readyLine)) return;
      clearTimeout(timer);
      timer = setTimeout(kill, deadlineMs);
    });
    child.on("close", () => {
      clearTimeout(timer);
      const result = output.slice(readyLine.length);
      if (result.endsWith("\n")) resolve(JSON.parse(result) as MoveResult);
      else resolve(late ? "never ready" : undefined);
    });
    child.stdin?.end("go\n");
  });
}

/** The mover ended without a result. Either it had finished and could not report, or the journal is carried out here. */
function finishHere(folder: string): MoveResult {
  const location = journalLocation(folder);
  const ended = readEnding(location);
  if (ended) return ended;
  const journal = readJournal(location);
  if (journal) return carryOutMoves(journal, location);
  return fail("git_failed", `The journal in ${folder} is gone.`, {
    remedy: "Look at the folder and the work tree.",
  });
}
