// Finds out what protection this machine really gives, by trying it and not by asking for a version.
import { execFile } from "node:child_process";
import { accessSync, constants, statSync, realpathSync } from "node:fs";
import { join, isAbsolute } from "node:path";
import { type CommandRequest, diskFailure, fail } from "../../core/contract/index.ts";
import { systemCode, timers } from "../system/index.ts";
import { confinement, nestable } from "./bubblewrap.ts";
import { defaultPath } from "./environment.ts";

export interface SandboxReport {
  readonly kind: "bubblewrap" | "none";
  /** The program that confines, when there is one. */
  readonly program?: string;
  readonly version?: string;
  /** The active protection, described for people. */
  readonly protection: readonly string[];
  /** The dangers that are not held off. */
  readonly open: readonly string[];
  readonly note: string;
  readonly remedy?: string;
}

interface DetectOptions {
  /** Where to look for programs; the host's PATH. */
  readonly path?: string;
  readonly platform?: string;
  readonly uid?: number;
}

const probeMs = 10_000;

export function findProgram(name: string, path: string): string | undefined {
  for (const folder of path.split(":")) {
    if (!folder.startsWith("/")) continue;
    const candidate = join(folder, name);
    try {
      accessSync(candidate, constants.X_OK);
      // A folder may be entered, which reads like a program that may be started.
      if (statSync(candidate).isFile()) return candidate;
    } catch {
      continue;
    }
  }
  return undefined;
}

interface Answer {
  readonly ok: boolean;
  readonly text: string;
  /** The machine had no process, memory or time for it: it says nothing about what can be confined here. */
  readonly passing: boolean;
  readonly error: unknown;
}

/** The system has no process, memory or descriptor left for a program. */
export const lacking = /Resource temporarily unavailable|Cannot allocate memory|Too many open files/;
const lackingCodes = new Set(["EAGAIN", "ENOMEM", "EMFILE", "ENFILE"]);

function ask(program: string, args: readonly string[]): Promise<Answer> {
  return new Promise((done) => {
    const options = { timeout: probeMs, killSignal: "SIGKILL" as const, env: {}, encoding: "utf8" as const };
    execFile(program, [...args], options, (error, stdout, stderr) => {
      const text = `${stdout}${stderr}`.trim() || (error?.message ?? "");
      const killed = error?.signal === "SIGKILL";
      const passing = error !== null && (killed || lackingCodes.has(String(error.code)) || lacking.test(text));
      done({ ok: error === null, text, passing, error });
    });
  });
}

const pausesMs = [200, 1_000];

/** Trouble of the machine takes no sandbox away: it is tried again, and then it is a failure that may be over later. */
async function askSurely(program: string, args: readonly string[]): Promise<Answer> {
  for (const pauseMs of pausesMs) {
    const answer = await ask(program, args);
    if (!answer.passing) return answer;
    await timers.sleep(pauseMs);
  }
  const answer = await ask(program, args);
  if (!answer.passing) return answer;
  const failure = /^E[MN]FILE$/.test(systemCode(answer.error) ?? "") ? diskFailure(answer.error) : undefined;
  if (failure) throw failure;
  return fail("out_of_resources", `The sandbox could not be tried: ${answer.text.split("\n")[0]}`, {
    remedy: "Continue when the machine has processes, memory and time to spare. Nothing ran without the sandbox.",
  });
}

const plainLimits = [
  "a clean environment without inherited secrets",
  "limits on time and output",
  "the process group is ended afterwards",
];
const plainOpen = [
  "files outside the workspace can be read and written with your rights",
  "the network can be reached",
  "a program with the rights to drop our marks can outlive the command, and any can outlive us when we are killed",
];

function unconfined(note: string, remedy: string): SandboxReport {
  return { kind: "none", protection: plainLimits, open: plainOpen, note, remedy };
}

/** Needs about 20 ms: it runs bubblewrap once. */
export async function detectSandbox(options: DetectOptions = {}): Promise<SandboxReport> {
  const platform = options.platform ?? process.platform;
  if (platform !== "linux")
    return unconfined(
      `No sandbox is used on ${platform}: bubblewrap needs Linux.`,
      "Run inside a Linux container or virtual machine, or let the policy ask before each command.",
    );
  const program = findProgram("bwrap", options.path ?? defaultPath);
  if (program === undefined)
    return unconfined(
      "bubblewrap (bwrap) is not installed, so commands run with your own rights.",
      "Install it: apt-get install bubblewrap, dnf install bubblewrap, or pacman -S bubblewrap.",
    );
  const version = (await ask(program, ["--version"])).text.match(/\d+\.\d+(\.\d+)?/)?.[0];
  const trial = await askSurely(program, [
    ...confinement,
    ..."--ro-bind / / --dev /dev --proc /proc --size 4096 --tmpfs /tmp -- true".split(" "),
  ]);
  if (!trial.ok)
    return unconfined(
      `bubblewrap ${version ?? ""} is installed but cannot confine anything here: ${trial.text.split("\n")[0]}`,
      "Allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, " +
        "or an AppArmor profile for bwrap), or update bubblewrap to 0.8 or later.",
    );
  return confined(program, version, options.uid ?? process.getuid?.());
}

/** Tries a sandbox within a sandbox, as agent programs make one for their commands. */
export async function canNest(program: string): Promise<boolean> {
  const outer = "--ro-bind / / --dev /dev --proc /proc --size 4096 --tmpfs /tmp --".split(" ");
  const inner = "--unshare-user --unshare-net --dev-bind / / -- true".split(" ");
  return (await askSurely(program, [...nestable(process.getuid?.()), ...outer, program, ...inner])).ok;
}

function confined(program: string, version: string | undefined, uid: number | undefined): SandboxReport {
  return {
    kind: "bubblewrap",
    program,
    ...(version === undefined ? {} : { version }),
    protection: [
      "the file system is read-only but for the named folders and a private temporary folder",
      "your home, credentials, sockets and other users' files are not visible",
      "git folders, hooks and git configuration cannot be written",
      "no network unless a gate allowed it",
      "a clean environment without inherited secrets",
      "limits on time, output and memory",
      "every process ends with the command, also when we are killed",
    ],
    open: [
      "world-readable system files can be read",
      ...(uid === 0
        ? ["as root the kernel ignores per-user process limits; a control group is used where one can be made"]
        : []),
    ],
    note: `bubblewrap ${version ?? ""} at ${program} confines commands.`,
  };
}

/** Why it cannot be run; undefined when it can. */
export function examineSandbox(request: CommandRequest, path: string): string | undefined {
  const [program] = request.argv;
  if (request.argv.some((word) => word.includes("\0"))) return "An argument has a NUL character";
  if (!program) return "There is no program to run";
  if (request.stdin !== undefined && request.converse) return "Input is given at once or in a conversation";
  for (const folder of [request.cwd, ...request.writable]) {
    if (!isAbsolute(folder)) return `${folder} is not an absolute path`;
    const kind = statSync(folder, { throwIfNoEntry: false });
    if (kind === undefined) return `The folder ${folder} does not exist`;
    if (!kind.isDirectory()) return `${folder} is not a folder`;
  }
  if (request.writable.some((folder) => realpathSync(folder) === "/")) return "The whole disk cannot be writable";
  if (!program.includes("/") && findProgram(program, path) === undefined) return `The program ${program} was not found`;
  if (isAbsolute(program) && statSync(program, { throwIfNoEntry: false }) === undefined)
    return `The program ${program} does not exist`;
  return undefined;
}

/** Real paths, because a mount on a link would land beside it. */
export function settlePaths(request: CommandRequest): CommandRequest {
  return {
    ...request,
    cwd: realpathSync(request.cwd),
    writable: request.writable.map((folder) => realpathSync(folder)),
  };
}
