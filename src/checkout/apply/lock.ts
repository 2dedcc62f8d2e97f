// One integration into a checkout at a time. The lock names its holders, so that a dead one's can be taken over.
import { existsSync, linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { fail, type LeaseOwner } from "../../contract/index.ts";
import { isAlive, systemCode, thisProcess } from "../../system/index.ts";

const owners = z.array(z.object({ pid: z.number(), startedAt: z.string(), host: z.string() }));

export interface ApplyLock {
  /** Adds the process that carries the move out: the lock holds as long as either of them lives. */
  share(owner: LeaseOwner): void;
  release(): void;
}

let counter = 0;

function holdersOf(file: string): LeaseOwner[] | undefined {
  try {
    const parsed = owners.safeParse(JSON.parse(readFileSync(file, "utf8")));
    return parsed.success ? parsed.data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function draftOf(folder: string, holders: readonly LeaseOwner[]): string {
  const draft = join(folder, `lock.${process.pid}.${counter++}`);
  writeFileSync(draft, JSON.stringify(holders), { flag: "wx" });
  return draft;
}

/** Written whole before it is linked into place, so that nobody ever reads half of it. */
function tryLock(folder: string, file: string): boolean {
  const draft = draftOf(folder, [thisProcess()]);
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Waits for a holder that is alive until the deadline, takes over from one that is not. */
export async function lockApplies(folder: string, waitMs = 10_000): Promise<ApplyLock> {
  const file = join(folder, "lock");
  const deadline = Date.now() + waitMs;
  while (!tryLock(folder, file)) {
    const holders = holdersOf(file);
    const alive = holders?.filter((owner) => isAlive(owner) !== false) ?? [];
    if (holders && alive.length === 0) takeOver(folder, file);
    else if (Date.now() > deadline)
      fail(
        "conflict",
        `Another process (pid ${alive[0]?.pid ?? "unknown"}) is applying a patch to this checkout.`,
        {
          remedy: `Wait until it is done, then try again. If no such process runs, remove ${file}.`,
        },
      );
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    share: (owner) => renameSync(draftOf(folder, [thisProcess(), owner]), file),
    release: () => rmSync(file, { force: true }),
  };
}

/** Only one of several who see the dead holder can rename its lock away. */
function takeOver(folder: string, file: string): void {
  const aside = join(folder, `stale.${process.pid}.${counter++}`);
  try {
    renameSync(file, aside);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return;
    throw error;
  }
  const moved = holdersOf(aside)?.some((owner) => isAlive(owner) !== false) === true;
  if (moved && !existsSync(file)) renameSync(aside, file);
  rmSync(aside, { force: true });
}

/** Drafts of a lock whose writer died in the middle. For a caller that holds the lock. */
export function sweepDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /^(?:lock|stale)\.(\d+)\.\d+$/.exec(name)?.[1];
    if (pid !== undefined && Number(pid) !== process.pid && !answers(Number(pid)))
      rmSync(join(folder, name), { force: true });
  }
}

function answers(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== "ESRCH";
  }
}
