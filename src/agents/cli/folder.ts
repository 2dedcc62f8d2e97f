// The private folder of a call. One whose process was killed is cleared away by the next process that makes one.
import { lstatSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { temporaryRoot } from "../../platform/system/index.ts";
import { join } from "node:path";
import process from "node:process";

const dayMs = 24 * 60 * 60_000;
const name = /^thehood-agent-(\d+)-/;
let swept: Promise<void> | undefined;

export async function makeCallFolder(): Promise<string> {
  await (swept ??= sweep());
  return mkdtemp(join(temporaryRoot(), `thehood-agent-${process.pid}-`));
}

export const dropFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true }).catch(leave);

async function sweep(): Promise<void> {
  for (const entry of await readdir(temporaryRoot())) {
    const pid = Number(name.exec(entry)?.[1]);
    const folder = join(temporaryRoot(), entry);
    if (pid > 0 && isGone(pid) && isOld(folder)) await dropFolder(folder);
  }
}

/** A process of another container that shares this folder looks gone from here; after a day it is. */
const isOld = (folder: string): boolean =>
  Date.now() - (lstatSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > dayMs;

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** Another user's, or on a disk that fails just now: it holds nothing but forms, and waits for the next time. */
function leave(error: unknown): void {
  if (!(error instanceof Error && "code" in error)) throw error;
}
