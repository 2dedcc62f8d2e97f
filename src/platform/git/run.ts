// The one door to git: argv only, a closed environment, a deadline, a cap on output, bytes in and out.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { diskFailure, fail } from "../../core/contract/index.ts";
import { entersSubmodules, spellGit } from "./commands.ts";
import { readRepositoryConfig, gitlinks, readNestedConfig } from "./config-read.ts";
import { environmentFor, gitProgram, type Surroundings } from "./environment.ts";
import type { Repository } from "./locate.ts";
import { overridesFor } from "./neutralise.ts";

export interface GitOptions extends Surroundings {
  readonly stdin?: Uint8Array | string;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
  /** Exit codes that are answers rather than failures. Default: 0 only. */
  readonly accept?: readonly number[];
}

export interface GitResult {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

const defaults = { timeoutMs: 120_000, maxBytes: 256 << 20, stderrBytes: 64 << 10, graceMs: 2_000 };

/**
 * Repeats a value of the environment. A git too old for overrides in its environment would ignore those silently; it
 * does not know this option either, and stops.
 */
const insistNew = "--config-env=core.pager=GIT_PAGER";

function prepare(repository: Repository, args: readonly string[], options: GitOptions) {
  const argv = ["--no-pager", insistNew, ...spellGit(args, options.network !== undefined)];
  const entries = entersSubmodules(args[0])
    ? readNestedConfig(repository, (one) => gitlinks(gitSync(one, ["ls-files", "-s", "-z"]).stdout))
    : readRepositoryConfig(repository);
  const env = environmentFor(repository, overridesFor(entries), options);
  // The one command that refuses literal pathspecs; its callers write `./` before each path instead.
  if (args[0] === "check-ignore") delete env["GIT_LITERAL_PATHSPECS"];
  return { argv, env, cwd: options.workTree ?? repository.top };
}

function judge(args: readonly string[], options: GitOptions, result: GitResult): GitResult {
  if ((options.accept ?? [0]).includes(result.exitCode)) return result;
  if (result.exitCode === 129 && result.stderr.startsWith("unknown option: --config-env"))
    return fail("git_failed", "This git is too old: it cannot be kept from running what a repository tells it to.", {
      remedy: "Install git 2.31 or newer, then try again.",
    });
  const stderr = result.stderr.trim().split("\n").slice(0, 8).join("\n");
  return fail(
    "git_failed",
    `git ${args[0]} failed with exit code ${result.exitCode}: ${stderr || "it printed no reason"}`,
    {
      remedy: "Look at the message of git above; `git fsck` and `git status` show the state of the repository.",
      details: { args: args.slice(0, 8), exitCode: result.exitCode },
    },
  );
}

/** Runs git on a repository. Fails with `git_failed`, `timeout`, `interrupted` or `unsafe_repository`. */
export async function git(
  repository: Repository,
  args: readonly string[],
  options: GitOptions = {},
): Promise<GitResult> {
  const { argv, env, cwd } = prepare(repository, args, options);
  if (options.signal?.aborted) return fail("interrupted", `git ${args[0]} was stopped before it began.`);
  // An input that is not there needs no pipe.
  const stdin = options.stdin === undefined ? "ignore" : "pipe";
  const child = spawn(gitProgram(), argv, {
    cwd,
    env,
    stdio: [stdin, "pipe", "pipe"],
    detached: true,
    windowsHide: true,
  });
  const outcome = await collect(child, options);
  if (outcome.ended !== "exited") return stopped(args, options, outcome.ended, outcome.error);
  return judge(args, options, outcome.result);
}

type Ended = "exited" | "timeout" | "aborted" | "output_limit" | "not_started" | "killed";

function stopped(args: readonly string[], options: GitOptions, ended: Ended, error: Error | undefined): never {
  if (ended === "killed")
    return fail("out_of_resources", `git ${args[0]} was ended by ${error?.message} from outside.`, {
      remedy: "The system may be short of memory: close programs, then continue.",
    });
  if (ended === "aborted") return fail("interrupted", `git ${args[0]} was stopped.`);
  if (ended === "timeout")
    return fail("timeout", `git ${args[0]} did not finish within ${options.timeoutMs ?? defaults.timeoutMs} ms.`, {
      remedy: "Try again when the machine is less busy; a very large repository may need more time.",
    });
  if (ended === "output_limit")
    return fail("git_failed", `git ${args[0]} printed more than ${options.maxBytes ?? defaults.maxBytes} bytes.`, {
      remedy: "The change or the listing is larger than we handle; make it smaller.",
    });
  const lack = diskFailure(error);
  if (lack?.failure.code === "out_of_resources") throw lack;
  return fail("git_failed", `git could not be started: ${error?.message ?? "unknown"}`, {
    remedy: "Check that git is installed and that the folder still exists.",
  });
}

/** Ends git and whatever it started: first so that it can remove its lock files, then for certain. */
function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? child.pid : -child.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function collect(
  child: ChildProcess,
  options: GitOptions,
): Promise<{ ended: Ended; error?: Error; result: GitResult }> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const stderr: Buffer[] = [];
    let bytes = 0;
    let stderrBytes = 0;
    let ended: Ended = "exited";
    let error: Error | undefined;
    let last: NodeJS.Timeout | undefined;
    const stop = (why: Ended) => {
      if (ended !== "exited") return;
      ended = why;
      endGroup(child, "SIGTERM");
      last = setTimeout(() => endGroup(child, "SIGKILL"), defaults.graceMs);
    };
    const deadline = setTimeout(() => stop("timeout"), options.timeoutMs ?? defaults.timeoutMs);
    const onAbort = () => stop("aborted");
    options.signal?.addEventListener("abort", onAbort, { once: true });
    child.stdout?.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > (options.maxBytes ?? defaults.maxBytes)) stop("output_limit");
      else chunks.push(chunk);
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      if (stderrBytes < defaults.stderrBytes) stderr.push(chunk);
      stderrBytes += chunk.length;
    });
    child.on("error", (cause) => {
      ended = "not_started";
      error = cause;
    });
    // A git that exits without reading its input breaks the pipe; its exit code has the reason.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(options.stdin ?? "");
    child.on("close", (code, signal) => {
      if (ended === "exited" && signal !== null) [ended, error] = ["killed", new Error(signal)];
      clearTimeout(deadline);
      clearTimeout(last);
      options.signal?.removeEventListener("abort", onAbort);
      const result = {
        exitCode: code ?? 128,
        stdout: Buffer.concat(chunks),
        stderr: Buffer.concat(stderr).toString("utf8"),
      };
      resolve(error === undefined ? { ended, result } : { ended, error, result });
    });
  });
}

/** The same for the few places that cannot wait. No abort signal; the deadline still holds. */
export function gitSync(repository: Repository, args: readonly string[], options: GitOptions = {}): GitResult {
  const { argv, env, cwd } = prepare(repository, args, options);
  const done = spawnSync(gitProgram(), argv, {
    cwd,
    env,
    input: options.stdin ?? "",
    timeout: options.timeoutMs ?? defaults.timeoutMs,
    maxBuffer: options.maxBytes ?? defaults.maxBytes,
    killSignal: "SIGTERM",
    windowsHide: true,
  });
  if (done.error) {
    const code = (done.error as NodeJS.ErrnoException).code;
    const ended = code === "ETIMEDOUT" ? "timeout" : code === "ENOBUFS" ? "output_limit" : "not_started";
    return stopped(args, options, ended, done.error);
  }
  if (done.signal !== null) return stopped(args, options, "killed", new Error(done.signal));
  return judge(args, options, {
    exitCode: done.status ?? 128,
    stdout: done.stdout,
    stderr: done.stderr.toString("utf8").slice(0, defaults.stderrBytes),
  });
}
