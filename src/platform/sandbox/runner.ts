// The command runner: checks a request, confines the program as well as this machine can, and reports what it did.
import { randomUUID } from "node:crypto";
import { userInfo } from "node:os";
import { once, temporaryRoot } from "../system/index.ts";
import { type CommandOutcome, type CommandRequest, type CommandRunner, fail } from "../../core/contract/index.ts";
import { runConfined } from "./confined.ts";
import {
  type SandboxReport,
  canNest,
  detectSandbox,
  examineSandbox,
  findProgram,
  lacking,
  settlePaths,
} from "./detect.ts";
import { cleanEnvironment, defaultPath, realSearchPath, trustedPath, userVariables } from "./environment.ts";
import { type ResourceLimits, commandLimits } from "./limits.ts";
import { planMounts, seenAt } from "./mounts.ts";
import { endOrphans } from "./descriptors.ts";
import { dropHome, privateHome, runPlain } from "./plain.ts";
import type { Supervised } from "./supervise.ts";

export interface RunnerOptions {
  /** Where the sandbox program is looked for; the system folders of the search path without. */
  readonly sandboxPath?: string;
  /** The host's environment, of which only PATH, locale and time zone are used. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The user's home, to be hidden. */
  readonly home?: string;
  /** Hidden for every command besides the built-in list. */
  readonly hidden?: readonly string[];
  /** `auto` runs without a sandbox where the machine has none, and reports it; `required` refuses; `off` is for tests. */
  readonly sandbox?: "auto" | "required" | "off";
  /** `off` is for tests: as on a system where no sandbox can be made inside a sandbox. */
  readonly nesting?: "auto" | "off";
  readonly limits?: Partial<ResourceLimits>;
}

/** The knowledge of a runner, the same for every command. */
interface Setup {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly hidden: readonly string[];
  readonly limits: ResourceLimits;
}

/** The end of a command; a string is the reason why it was not started. */
type End = (Omit<Supervised, "output"> & { readonly output?: Supervised["output"] }) | string;

const off: SandboxReport = {
  kind: "none",
  protection: [],
  open: [],
  note: "The sandbox is switched off for this runner.",
};

export function createCommandRunner(options: RunnerOptions = {}): CommandRunner {
  const environment = options.environment ?? {};
  const path = environment["PATH"] || defaultPath;
  const setup: Setup = {
    environment,
    home: options.home ?? userInfo().homedir,
    hidden: options.hidden ?? [],
    limits: { ...commandLimits, ...options.limits },
  };
  const start = async (request: CommandRequest, sandbox: SandboxReport): Promise<End> => {
    if (sandbox.kind === "none" && options.sandbox === "required")
      return `No sandbox, and none may be left out: ${sandbox.note}`;
    const bad = examineSandbox(request, request.env?.["PATH"] ?? path);
    if (bad !== undefined) return bad;
    if (request.signal?.aborted) return { ended: "aborted", exitCode: null, signal: null };
    const settled = settlePaths(request);
    return sandbox.kind === "none" ? plain(setup, settled) : confined(setup, settled, sandbox);
  };

  const detect = once(async () =>
    options.sandbox === "off" ? off : prepare(options.sandboxPath ?? trustedPath(path)),
  );
  return {
    async run(request) {
      const began = performance.now();
      const sandbox = await detect();
      const end = await start(request, sandbox);
      return mustHaveHadResources(outcome(request, sandbox, end, performance.now() - began));
    },
    confinement: async () => (await detect()).kind,
    nests: once(async () => {
      const { program } = await detect();
      return program !== undefined && options.nesting !== "off" && canNest(program);
    }),
  };
}

/** A program that the machine had no room for says nothing about the work. */
function mustHaveHadResources(outcome: CommandOutcome): CommandOutcome {
  const { ended, error = "" } = outcome;
  return ended === "not_started" && lacking.test(error)
    ? fail("out_of_resources", `A command could not be started: ${error}`, {
        remedy: "Continue when the machine has processes and memory to spare.",
      })
    : outcome;
}

async function prepare(path: string): Promise<SandboxReport> {
  const report = await detectSandbox({ path });
  if (report.kind === "bubblewrap") endOrphans();
  return report;
}

async function plain(setup: Setup, request: CommandRequest): Promise<End> {
  const home = privateHome(temporaryRoot());
  try {
    const made = cleanEnvironment({ ...variables(setup, request), home, tmp: home });
    if ("bad" in made) return made.bad;
    const prlimit = findProgram("prlimit", defaultPath);
    return await runPlain({ request, env: made.env, name: commandName(), prlimit });
  } finally {
    dropHome(home);
  }
}

async function confined(setup: Setup, request: CommandRequest, sandbox: SandboxReport): Promise<End> {
  const { home, limits } = setup;
  const made = cleanEnvironment({ ...variables(setup, request), home, tmp: "/tmp" });
  if ("bad" in made) return made.bad;
  const env = { ...made.env, PATH: realSearchPath(made.env["PATH"] ?? defaultPath) };
  const plan = planMounts({
    cwd: request.cwd,
    writable: request.writable,
    readable: request.readable ?? [],
    own: request.own ?? [],
    hidden: [...setup.hidden, ...(request.hidden ?? [])],
    home,
    path: env.PATH,
    network: request.network,
    shown: request.shown,
    secrets: request.secrets,
  });
  if ("refused" in plan) return plan.refused;
  return runConfined({
    program: sandbox.program ?? "bwrap",
    prlimit: findProgram("prlimit", defaultPath),
    request: { ...request, cwd: seenAt(request.shown, request.cwd) },
    env,
    plan,
    limits,
    name: commandName(),
  });
}

const variables = ({ environment }: Setup, { inherit, env = {}, envAppended }: CommandRequest) => ({
  host: environment,
  passed: inherit ? userVariables(environment) : undefined,
  request: env,
  appended: envAppended,
});

const commandName = () => `thehood-${randomUUID()}`;

function outcome(request: CommandRequest, report: SandboxReport, end: End, ms: number): CommandOutcome {
  const result = typeof end === "string" ? notStarted(end) : end;
  return {
    exitCode: result.exitCode,
    signal: result.signal,
    ended: result.ended,
    stdout: result.output?.bytes("stdout") ?? new Uint8Array(),
    stderr: result.output?.bytes("stderr") ?? new Uint8Array(),
    truncated: result.output?.truncated ?? false,
    durationMs: Math.round(ms),
    sandbox:
      report.kind === "bubblewrap"
        ? { kind: "bubblewrap", network: request.network }
        : { kind: "none", network: true, note: report.note },
    ...(result.error === undefined ? {} : { error: result.error }),
  };
}

const notStarted = (error: string): Exclude<End, string> => ({
  ended: "not_started",
  exitCode: null,
  signal: null,
  error,
});
