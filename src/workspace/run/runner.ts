// The command runner: checks a request, confines the program as well as this machine can, and says what it did.
import { randomUUID } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { isAbsolute } from "node:path";
import type { CommandOutcome, CommandRequest, CommandRunner } from "../../contract/index.ts";
import { runConfined } from "./confined.ts";
import { type SandboxReport, detectSandbox, findProgram } from "./detect.ts";
import { cleanEnvironment, defaultPath } from "./environment.ts";
import { type ResourceLimits, defaultLimits } from "./limits.ts";
import { planMounts } from "./mounts.ts";
import { dropHome, privateHome, runPlain } from "./plain.ts";
import type { Supervised } from "./supervise.ts";

export interface RunnerOptions {
  /** The host's environment, of which only PATH, locale and time zone are used. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The user's home, to be hidden. */
  readonly home?: string;
  /** Hidden for every command besides the built-in list. */
  readonly hidden?: readonly string[];
  /** `auto` runs without a sandbox where there is none and says so; `required` refuses; `off` is for tests. */
  readonly sandbox?: "auto" | "required" | "off";
  readonly limits?: Partial<ResourceLimits>;
}

const off: SandboxReport = {
  kind: "none",
  protection: [],
  open: [],
  note: "The sandbox is switched off for this runner.",
};

export function createCommandRunner(options: RunnerOptions = {}): CommandRunner {
  const path = options.environment?.["PATH"] || defaultPath;
  const home = options.home ?? userInfo().homedir;
  const limits = { ...defaultLimits, ...options.limits };
  let report: Promise<SandboxReport> | undefined;

  const start = async (request: CommandRequest): Promise<Run> => {
    report ??= options.sandbox === "off" ? Promise.resolve(off) : detectSandbox({ path });
    const sandbox = await report;
    if (sandbox.kind === "none" && options.sandbox === "required")
      return refuse(request, sandbox, `No sandbox, and none may be left out: ${sandbox.note}`);
    const bad = examine(request, request.env?.["PATH"] ?? path);
    if (bad !== undefined) return refuse(request, sandbox, bad);
    if (request.signal?.aborted) return { sandbox: face(request, sandbox), result: aborted };
    const settled = settlePaths(request);
    const name = `thehood-${randomUUID()}`;
    if (sandbox.kind === "none") return plain(settled, sandbox, name);
    return confined(settled, sandbox, name);
  };

  const plain = async (request: CommandRequest, sandbox: SandboxReport, name: string): Promise<Run> => {
    const own = privateHome(tmpdir());
    try {
      const made = cleanEnvironment({
        host: options.environment ?? {},
        home: own,
        tmp: own,
        request: request.env ?? {},
      });
      if ("bad" in made) return refuse(request, sandbox, made.bad);
      return { sandbox: face(request, sandbox), result: await runPlain({ request, env: made.env, name }) };
    } finally {
      dropHome(own);
    }
  };

  const confined = async (request: CommandRequest, sandbox: SandboxReport, name: string): Promise<Run> => {
    const made = cleanEnvironment({
      host: options.environment ?? {},
      home,
      tmp: "/tmp",
      request: request.env ?? {},
    });
    if ("bad" in made) return refuse(request, sandbox, made.bad);
    const plan = planMounts({
      cwd: request.cwd,
      writable: request.writable,
      readable: request.readable ?? [],
      hidden: [...(options.hidden ?? []), ...(request.hidden ?? [])],
      home,
      path: made.env["PATH"] ?? path,
      network: request.network,
    });
    if ("refused" in plan) return refuse(request, sandbox, plan.refused);
    const program = sandbox.program ?? "bwrap";
    const prlimit = findProgram("prlimit", defaultPath);
    const result = await runConfined({ program, prlimit, request, env: made.env, plan, limits, name });
    return { sandbox: face(request, sandbox), result };
  };

  return {
    async run(request) {
      const began = performance.now();
      const { sandbox, result } = await start(request);
      return {
        exitCode: result.exitCode,
        signal: result.signal,
        ended: result.ended,
        stdout: result.output?.bytes("stdout") ?? new Uint8Array(),
        stderr: result.output?.bytes("stderr") ?? new Uint8Array(),
        truncated: result.output?.truncated ?? false,
        durationMs: Math.round(performance.now() - began),
        sandbox,
        ...(result.error === undefined ? {} : { error: result.error }),
      };
    },
  };
}

interface Run {
  readonly sandbox: CommandOutcome["sandbox"];
  readonly result: Omit<Supervised, "output"> & { readonly output?: Supervised["output"] };
}

const aborted: Run["result"] = { ended: "aborted", exitCode: null, signal: null };

function refuse(request: CommandRequest, sandbox: SandboxReport, error: string): Run {
  return {
    sandbox: face(request, sandbox),
    result: { ended: "not_started", exitCode: null, signal: null, error },
  };
}

function face(request: CommandRequest, report: SandboxReport): CommandOutcome["sandbox"] {
  if (report.kind === "bubblewrap") return { kind: "bubblewrap", network: request.network };
  return { kind: "none", network: true, note: report.note };
}

/** What can be known to fail before anything is started, in words; undefined when all is well. */
function examine(request: CommandRequest, path: string): string | undefined {
  const [program] = request.argv;
  if (request.argv.some((word) => word.includes("\0"))) return "An argument has a NUL character";
  if (!program) return "There is no program to run";
  for (const folder of [request.cwd, ...request.writable]) {
    if (!isAbsolute(folder)) return `${folder} is not an absolute path`;
    const kind = statSync(folder, { throwIfNoEntry: false });
    if (kind === undefined) return `The folder ${folder} does not exist`;
    if (!kind.isDirectory()) return `${folder} is not a folder`;
  }
  if (request.writable.some((folder) => realpathSync(folder) === "/"))
    return "The whole disk cannot be writable";
  if (!program.includes("/") && findProgram(program, path) === undefined)
    return `The program ${program} was not found`;
  if (isAbsolute(program) && statSync(program, { throwIfNoEntry: false }) === undefined)
    return `The program ${program} does not exist`;
  return undefined;
}

/** Real paths, because a mount on a link would land beside it. */
function settlePaths(request: CommandRequest): CommandRequest {
  return {
    ...request,
    cwd: realpathSync(request.cwd),
    writable: request.writable.map((folder) => realpathSync(folder)),
  };
}
