// Makes an answer of the end of an agent program.
import type { CommandOutcome, ProviderAnswer, ProviderCall } from "../../core/contract/index.ts";
import { limitLines, quotaEnd } from "../quota.ts";
import type { Meter } from "./meter.ts";
import type { AgentCommand, AgentProgram, AgentReply } from "./program.ts";

interface Ended {
  readonly program: AgentProgram;
  readonly call: ProviderCall;
  readonly command: AgentCommand;
  readonly argv: readonly [string, ...string[]];
  readonly outcome: CommandOutcome;
  readonly meter: Meter;
  /** The service refused the request for good, and the program was stopped instead of trying again. */
  readonly refused?: string | undefined;
  /** How a person logs in. */
  readonly login?: string | undefined;
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

export function answerOf(ended: Ended): ProviderAnswer {
  const { program, argv, outcome, meter } = ended;
  const reply = readReply(ended);
  const used = reply.usage ?? meter.used();
  const over = meter.over();
  const base = {
    // Where the program reports no usage, bytes are counted by the caller.
    ...(over === null && used.estimated ? {} : { usage: used }),
    invocation: invocationOf(ended, reply),
    durationMs: outcome.durationMs,
  };
  if (over !== null && !reply.finished) {
    const tokens = used.inputTokens + used.outputTokens;
    const error = `${program.id} was stopped: it used up the ${over} budget of the run (${used.estimated ? "about " : ""}${tokens} tokens)`;
    return { ...base, outcome: "failed", text: "", error, budget: over };
  }
  if (ended.refused !== undefined && !reply.finished) {
    const error = `${program.id}: its service refused the login or key (${ended.refused}). ${ended.login ?? ""}`.trim();
    return { ...base, outcome: "failed", text: "", error };
  }
  const [how, error] = troubleOf(ended, reply) ?? [];
  if (how !== undefined) {
    const until = how === "failed" ? limitOf(ended, reply) : undefined;
    const failed = { ...base, outcome: how, text: "", error: `${program.id} (${argv[0]}) ${error}` } as const;
    return until === undefined ? failed : { ...failed, limitedUntil: until };
  }
  return { ...base, outcome: "answered", text: reply.text ?? "" };
}

type Trouble = readonly [ProviderAnswer["outcome"], string];

/** The reason for a missing answer. The output of a stopped program counts only when it was complete. */
function troubleOf({ call, outcome }: Ended, reply: AgentReply): Trouble | undefined {
  const { text: said, problem, finished } = reply;
  const tooLong = reply.overflowed || (said !== undefined && Buffer.byteLength(said) > call.maxAnswerBytes);
  const broken = finished ? undefined : brokenOff(outcome, call);
  if (broken) return broken;
  if (problem !== undefined) return ["failed", `failed: ${problem}`];
  if (!finished && outcome.exitCode !== 0) return ["failed", `ended with ${endOf(outcome)}${lastWords(outcome)}`];
  if (tooLong) return ["oversize", `answered with over ${call.maxAnswerBytes} bytes`];
  if (said === undefined) return ["failed", `ended without an answer${lastWords(outcome)}`];
  return undefined;
}

/** What the program itself says about its failure: its problem, its last words, and the events of its service. */
function limitOf({ outcome }: Ended, { problem }: AgentReply): number | undefined {
  const now = Date.now();
  const said = [
    problem ?? "",
    text(outcome.stderr.subarray(-2_000)),
    limitLines(text(outcome.stdout.subarray(-40_000))),
  ];
  return said.map((one) => quotaEnd(one, now)).find((end) => end !== undefined);
}

function brokenOff({ ended, error }: CommandOutcome, { timeoutMs }: ProviderCall): Trouble | undefined {
  switch (ended) {
    case "aborted":
      return ["aborted", "was stopped"];
    case "timeout":
      return ["timed_out", `gave no answer within ${timeoutMs} ms`];
    case "output_limit":
      return ["oversize", "printed too much"];
    case "not_started":
      return ["failed", `could not be started: ${error ?? "unknown reason"}`];
    case "exited":
      return undefined;
  }
}

function readReply({ program, command, outcome }: Ended): AgentReply {
  if (command.conversation) return command.conversation.reply();
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
