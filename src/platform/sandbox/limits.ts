// Owns the limits the kernel keeps for each process, and the control group that keeps them for all together.
import { mkdirSync, readFileSync, readdirSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface ResourceLimits {
  readonly processes: number;
  readonly memoryBytes: number;
  readonly fileBytes: number;
  readonly openFiles: number;
}

export const commandLimits: ResourceLimits = {
  processes: 1024,
  memoryBytes: 8 * 1024 ** 3,
  fileBytes: 4 * 1024 ** 3,
  openFiles: 8192,
};

/** Inside the sandbox, where the user namespace counts only the sandbox's own processes. Data, not address space:
 * runtimes reserve far more addresses than they use. */
export function prlimitArgs(program: string, limits: ResourceLimits, ceilings = ownCeilings()): string[] {
  const within = (name: string, value: number): number => Math.min(value, ceilings.get(name) ?? value);
  return [
    program,
    `--nproc=${within("Max processes", limits.processes)}`,
    `--data=${within("Max data size", limits.memoryBytes)}`,
    `--fsize=${within("Max file size", limits.fileBytes)}`,
    `--nofile=${within("Max open files", limits.openFiles)}`,
    "--core=0",
    "--",
  ];
}

/** The hard limits of this process by the kernel's names. No program of ours may ask for more: the kernel refuses that. */
function ownCeilings(): Map<string, number> {
  try {
    const lines = readFileSync("/proc/self/limits", "utf8").matchAll(/^(Max [a-z ]+?) {2,}\S+ +(\d+) /gmu);
    return new Map([...lines].map(([, name, hard]) => [name ?? "", Number(hard)]));
  } catch {
    return new Map();
  }
}

export interface ControlGroup {
  /** Files to which a process writes its id to join. */
  readonly joins: readonly string[];
  remove(): void;
}

const controllers = [
  { name: "pids", file: "pids.max", value: (limits: ResourceLimits) => limits.processes },
  { name: "memory", file: "memory.limit_in_bytes", value: (limits: ResourceLimits) => limits.memoryBytes },
];

function removeFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    // Busy while the last process is being buried, or already gone: an empty group costs nothing.
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "EBUSY" && code !== "ENOENT" && code !== "EACCES" && code !== "EPERM") throw error;
  }
}

function makeGroup(folder: string, settings: readonly (readonly [string, number])[]): boolean {
  try {
    mkdirSync(folder);
  } catch {
    return false;
  }
  try {
    for (const [file, value] of settings) writeFileSync(join(folder, file), String(value));
    return true;
  } catch {
    removeFolder(folder);
    return false;
  }
}

const staleMs = 60_000;

/** A group outlives its command while the last zombie in it waits to be reaped; the next command clears it away. */
function sweep(parent: string): void {
  for (const name of readFolder(parent)) {
    if (!name.startsWith("thehood-")) continue;
    const folder = join(parent, name);
    const made = statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
    if (made !== undefined && Date.now() - made > staleMs) removeFolder(folder);
  }
}

function readFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function currentGroups(): Map<string, string> {
  try {
    const lines = readFileSync("/proc/self/cgroup", "utf8").trim().split("\n");
    return new Map(
      lines.map((line) => {
        const [, names, path] = line.split(":", 3);
        return [names ?? "", path ?? "/"] as const;
      }),
    );
  } catch {
    return new Map();
  }
}

/** Undefined where groups cannot be made, which is usual for an ordinary user. */
export function openControlGroup(
  name: string,
  limits: ResourceLimits,
  mount = "/sys/fs/cgroup",
): ControlGroup | undefined {
  const current = currentGroups();
  const made: string[] = [];
  for (const { name: controller, file, value } of controllers) {
    const own = current.get(controller);
    if (own === undefined) continue;
    const folder = join(mount, controller, own, name);
    sweep(join(mount, controller, own));
    if (makeGroup(folder, [[file, value(limits)]])) made.push(folder);
  }
  const unified = current.get("");
  if (made.length === 0 && unified !== undefined) {
    // A group with processes cannot have limited children, so ours stands beside the one we are in.
    const folder = join(mount, unified, unified === "/" ? "." : "..", name);
    sweep(join(folder, ".."));
    const settings = [
      ["pids.max", limits.processes],
      ["memory.max", limits.memoryBytes],
    ] as const;
    if (makeGroup(folder, settings)) made.push(folder);
  }
  if (made.length === 0) return undefined;
  return {
    joins: made.map((folder) => join(folder, "cgroup.procs")),
    remove: () => made.forEach(removeFolder),
  };
}
