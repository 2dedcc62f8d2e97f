// Programs of a run that no sandbox holds, and everything that descends from them. They carry two marks: a variable, which
// a program can drop, and a hard limit, which it keeps through every fork and exec and cannot raise again without special
// rights. The limit is that of file locks, which Linux has not used since 2.4. Other systems have the variable alone.
import { readFileSync, readdirSync } from "node:fs";
import process from "node:process";
import { systemCode } from "./codes.ts";

const variable = "THEHOOD_COMMAND";

export interface Mark {
  readonly name: string;
  /** Unique, and below the limit that this process has itself. */
  readonly locks: number;
  readonly env: Readonly<Record<string, string>>;
}

const mostLocks = Number.MAX_SAFE_INTEGER;

export function createProcessMark(name: string, chance: () => number = Math.random): Mark {
  const most = Math.min(mostLocks, (hardLimit("self") ?? mostLocks) - 1);
  return { name, locks: Math.floor(most * (0.5 + chance() / 2)), env: { [variable]: name } };
}

/** The processes that carry one of the marks. */
export function processesWithMark({ name, locks }: Mark): number[] {
  const word = `${variable}=${name}`;
  return processIds().filter((pid) => hardLimit(pid) === locks || wordsOf(pid, "environ").includes(word));
}

/** This process, or one that it descends from, was started by a run without a sandbox. */
export function isDescendantOfRun(): boolean {
  if (hardLimit("self") !== undefined) return true;
  return [process.pid, ...ancestors(process.ppid)].some((pid) =>
    wordsOf(pid, "environ").some((word) => word.startsWith(`${variable}=`)),
  );
}

const mostAncestors = 1_000;

function ancestors(first: number): number[] {
  const found: number[] = [];
  for (let pid = first; pid > 0 && found.length < mostAncestors; pid = parentOf(pid)) found.push(pid);
  return found;
}

function parentOf(pid: number): number {
  const stat = read(pid, "stat");
  // The name of the program stands in brackets and may itself hold brackets and spaces.
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? 0);
}

/** The hard limit of file locks; undefined where there is none, or where the system does not tell. */
function hardLimit(pid: number | "self"): number | undefined {
  const [, hard] = /^Max file locks +\S+ +(\d+)/m.exec(read(pid, "limits")) ?? [];
  return hard === undefined ? undefined : Number(hard);
}

const wordsOf = (pid: number, file: string): string[] => read(pid, file).split("\0");

/** Empty for a process that is gone, or that is another user's. */
function read(pid: number | "self", file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return "";
  }
}

export function processIds(): number[] {
  try {
    return readdirSync("/proc")
      .filter((entry) => /^\d+$/.test(entry))
      .map(Number);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}
