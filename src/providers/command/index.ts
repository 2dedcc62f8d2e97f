// A provider that is a program on this machine: the directive on its standard input, its answer on its standard output.
// The base of every local agent command; what differs between them is data.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  AbortSignalLike,
  CommandOutcome,
  CommandRunner,
  ProviderAnswer,
  ProviderCall,
  ProviderPort,
} from "../../contract/index.ts";

export interface LocalCommand {
  readonly id: string;
  readonly about: string;
  /** The words after the program, for this call. */
  argv(call: ProviderCall): readonly [string, ...string[]];
  /** Sends text to a service elsewhere, so it needs the network and every call a manifest. */
  readonly external: boolean;
  readonly models: readonly string[];
  /** Takes the answer out of what was printed; by default all of standard output. */
  answerOf?(stdout: string): string;
  readonly permissionMode?: string;
}

export function createLocalCommand(command: LocalCommand, runner: CommandRunner): ProviderPort {
  return {
    id: command.id,
    traits: {
      boundary: command.external ? "external" : "local",
      modelBacked: true,
      edits: "worktree",
      about: command.about,
    },
    resolve: (model) =>
      command.models.includes(model)
        ? { ok: true, identity: `${command.id}:${model}` }
        : {
            ok: false,
            problem: `${command.id} has no model "${model}".`,
            remedy: `Use one of: ${command.models.join(", ")}.`,
          },
    send: (call, signal) => Promise.resolve({ answer: run(command, runner, call, signal) }),
  };
}

async function run(
  command: LocalCommand,
  runner: CommandRunner,
  call: ProviderCall,
  signal: AbortSignalLike,
): Promise<ProviderAnswer> {
  const own = call.workspace.dir === null ? await mkdtemp(join(tmpdir(), "thehood-agent-")) : undefined;
  const dir = call.workspace.dir ?? own ?? tmpdir();
  const mayWrite = call.workspace.mode === "worktree" || call.workspace.mode === "direct";
  const argv = command.argv(call);
  try {
    const outcome = await runner.run({
      argv,
      cwd: dir,
      writable: mayWrite ? [dir] : [],
      network: command.external,
      env: { THEHOOD_RUN_ID: call.runId, THEHOOD_ROLE: call.role, THEHOOD_PROVIDER: command.id },
      stdin: call.prompt,
      timeoutMs: call.timeoutMs,
      maxOutputBytes: call.maxAnswerBytes,
      signal,
    });
    return answerFrom(command, argv, call, outcome);
  } finally {
    if (own !== undefined) await rm(own, { recursive: true, force: true });
  }
}

function answerFrom(
  command: LocalCommand,
  argv: readonly [string, ...string[]],
  call: ProviderCall,
  outcome: CommandOutcome,
): ProviderAnswer {
  const invocation = {
    command: argv[0],
    args: argv.slice(1),
    sandbox: outcome.sandbox.kind,
    permissionMode: command.permissionMode ?? null,
    exitCode: outcome.exitCode,
    signal: outcome.signal,
    stdout: outcome.stdout,
    stderr: outcome.stderr,
  };
  const { durationMs } = outcome;
  const without = (how: ProviderAnswer["outcome"], error: string): ProviderAnswer => ({
    outcome: how,
    text: "",
    error,
    invocation,
    durationMs,
  });
  const name = `${command.id} (${argv[0]})`;
  if (outcome.ended === "aborted") return without("aborted", `${name} was stopped`);
  if (outcome.ended === "timeout")
    return without("timed_out", `${name} gave no answer within ${call.timeoutMs} ms`);
  if (outcome.ended === "output_limit")
    return without("oversize", `${name} printed over ${call.maxAnswerBytes} bytes`);
  if (outcome.ended === "not_started")
    return without("failed", `${name} could not be started: ${outcome.error ?? "unknown reason"}`);
  if (outcome.exitCode !== 0) return without("failed", `${name} ended with ${endOf(outcome)}`);
  const stdout = new TextDecoder().decode(outcome.stdout);
  return { outcome: "answered", text: command.answerOf?.(stdout) ?? stdout, invocation, durationMs };
}

const endOf = ({ exitCode, signal }: CommandOutcome): string =>
  signal === null ? `code ${exitCode}` : `signal ${signal}`;
