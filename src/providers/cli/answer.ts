// What the end of an agent program comes to as an answer.
import type { CommandOutcome, ProviderAnswer, ProviderCall } from "../../contract/index.ts";
import type { AgentCommand, AgentProgram, AgentReply } from "./program.ts";

export interface Ended {
  readonly program: AgentProgram;
  readonly call: ProviderCall;
  readonly command: AgentCommand;
  readonly argv: readonly [string, ...string[]];
  readonly outcome: CommandOutcome;
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

export function answerOf(ended: Ended): ProviderAnswer {
  const { program, call, argv, outcome } = ended;
  const reply = readReply(ended);
  const base = {
    ...(reply.usage ? { usage: reply.usage } : {}),
    invocation: invocationOf(ended, reply),
    durationMs: outcome.durationMs,
  };
  const without = (how: ProviderAnswer["outcome"], error: string): ProviderAnswer => ({
    ...base,
    outcome: how,
    text: "",
    error,
  });
  const name = `${program.id} (${argv[0]})`;
  if (outcome.ended === "aborted") return without("aborted", `${name} was stopped`);
  if (outcome.ended === "timeout")
    return without("timed_out", `${name} gave no answer within ${call.timeoutMs} ms`);
  if (outcome.ended === "output_limit") return without("oversize", `${name} printed too much`);
  if (outcome.ended === "not_started")
    return without("failed", `${name} could not be started: ${outcome.error ?? "unknown reason"}`);
  if (reply.problem !== undefined) return without("failed", `${name}: ${reply.problem}`);
  if (outcome.exitCode !== 0)
    return without("failed", `${name} ended with ${endOf(outcome)}${lastWords(outcome)}`);
  if (reply.text === undefined)
    return without("failed", `${name} ended without an answer${lastWords(outcome)}`);
  if (Buffer.byteLength(reply.text) > call.maxAnswerBytes)
    return without("oversize", `${name} answered with over ${call.maxAnswerBytes} bytes`);
  return { ...base, outcome: "answered", text: reply.text };
}

function readReply({ program, outcome }: Ended): AgentReply {
  const output = { stdout: text(outcome.stdout), stderr: text(outcome.stderr) };
  return program.read ? program.read(output) : { text: output.stdout };
}

function invocationOf(
  { argv, command, outcome }: Ended,
  { denials }: AgentReply,
): NonNullable<ProviderAnswer["invocation"]> {
  return {
    command: argv[0],
    args: argv.slice(1),
    sandbox: outcome.sandbox.kind,
    permissionMode: command.permissionMode,
    exitCode: outcome.exitCode,
    signal: outcome.signal,
    stdout: outcome.stdout,
    stderr: outcome.stderr,
    ...(denials && denials.length > 0 ? { denials } : {}),
  };
}

const endOf = ({ exitCode, signal }: CommandOutcome): string =>
  signal === null ? `code ${exitCode}` : `signal ${signal}`;

function lastWords({ stderr }: CommandOutcome): string {
  const said = text(stderr.subarray(-2_000)).trim().split("\n").at(-1)?.slice(0, 300);
  return said ? `: ${said}` : "";
}
