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

/** The hard limits of this process by the kernel's names. The kernel refuses a program that asks for more. */
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
    // A group with processes cannot have limited children, so the new group is a sibling of ours.
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

const load = (offset: number) => instruction(0x20, 0, 0, offset);
const jumpIfEqual = (value: number, yes: number, no: number) => instruction(0x15, yes, no, value);
const jumpIfAtLeast = (value: number, yes: number, no: number) => instruction(0x35, yes, no, value);
const answer = (value: number) => instruction(0x06, 0, 0, value);

const allow = 0x7fff0000;
/** "Operation not permitted". */
const refuse = 0x00050001;
const numberAt = 0;
const machineAt = 4;

function instruction(code: number, yes: number, no: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(yes, 2);
  bytes.writeUInt8(no, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}

/** add_key, request_key, keyctl, bpf, perf_event_open, userfaultfd. */
const machines: Readonly<Record<string, { readonly audit: number; readonly calls: readonly number[] }>> = {
  x64: { audit: 0xc000003e, calls: [248, 249, 250, 321, 298, 323] },
  arm64: { audit: 0xc00000b7, calls: [217, 218, 219, 280, 241, 282] },
};
/** Calls of the x32 kind carry this bit and would slip by. */
const otherKind = 0x40000000;

/** Undefined for a machine whose numbers are not known here. */
export function systemCallFilter(arch: string): Buffer | undefined {
  const machine = machines[arch];
  if (!machine) return undefined;
  const { audit, calls } = machine;
  const refuseFrom = (index: number) => calls.length - index;
  return Buffer.concat([
    load(machineAt),
    jumpIfEqual(audit, 0, calls.length + 3),
    load(numberAt),
    jumpIfAtLeast(otherKind, calls.length + 1, 0),
    ...calls.map((call, index) => jumpIfEqual(call, refuseFrom(index), 0)),
    answer(allow),
    answer(refuse),
  ]);
}
