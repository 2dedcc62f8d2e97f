// Reads what OpenCode prints: its answer, its tokens and cost, what it was refused, why it failed.
import { isRecord } from "../../core/contract/index.ts";
import { countAt, type JsonLine, jsonLines, lineAt, textAt } from "./lines.ts";
import type { Spending } from "./meter.ts";
import type { AgentOutput, AgentReply, StreamedText } from "./program.ts";

function usageOf(steps: readonly JsonLine[]): AgentReply["usage"] {
  if (steps.length === 0) return undefined;
  const sum = (count: (tokens: JsonLine | undefined) => number) =>
    steps.reduce((total, step) => total + count(lineAt(step, "tokens")), 0);
  const costs = steps.map(({ cost }) => (typeof cost === "number" && cost >= 0 ? cost : 0));
  const cost = costs.reduce((total, one) => total + one, 0);
  return {
    inputTokens: sum((tokens) => {
      const cache = lineAt(tokens, "cache");
      return countAt(tokens, "input") + countAt(cache, "read") + countAt(cache, "write");
    }),
    outputTokens: sum((tokens) => countAt(tokens, "output") + countAt(tokens, "reasoning")),
    ...(cost > 0 ? { costUsd: cost } : {}),
  };
}

/** Each step tells its own use. */
export function spendsOpencode(event: JsonLine): Spending | undefined {
  const step = event["type"] === "step_finish" ? lineAt(event, "part") : undefined;
  const usage = step && usageOf([step]);
  return usage && { id: textAt(step, "id") ?? JSON.stringify(step), ...usage };
}

export function readOpencode({ stdout, stderr }: AgentOutput): AgentReply {
  const lines = jsonLines(stdout);
  const parts = (type: string) =>
    lines.flatMap((line) => (line["type"] === type ? [lineAt(line, "part") ?? {}] : []));
  const steps = parts("step_finish");
  const texts = parts("text");
  const message = texts.at(-1)?.["messageID"];
  const error = lines.findLast(({ type }) => type === "error")?.["error"];
  const done = steps.at(-1)?.["reason"] === "stop";
  return {
    text: done
      ? texts.flatMap((part) => (part["messageID"] === message ? [textAt(part, "text") ?? ""] : [])).join("")
      : undefined,
    usage: usageOf(steps),
    problem: error === undefined ? spoken(done, stderr) : explained(wordsOf(error)),
    denials: parts("tool_use").flatMap((part) => {
      const state = lineAt(part, "state");
      const refused = /unavailable tool|prevents you from using|rejected permission/.test(
        textAt(state, "error") ?? "",
      );
      return refused ? [textAt(part, "tool") ?? "a tool without a name"] : [];
    }),
  };
}

function wordsOf(error: unknown): string {
  if (!isRecord(error)) return String(error);
  const data = lineAt(error, "data");
  const code = countAt(data, "statusCode");
  const said = textAt(data, "message") ?? textAt(error, "message") ?? JSON.stringify(error);
  return code === 0 ? said : `${said} (status ${code})`;
}

const escapes = /\u001b\[[0-9;]*m/g;

function spoken(done: boolean, stderr: string): string | undefined {
  if (done) return undefined;
  const said = /Error: [^\n]*|Model not found[^\n]*/.exec(stderr.replaceAll(escapes, ""))?.[0];
  return said && explained(said);
}

function explained(problem: string): string {
  const short = problem.slice(0, 1_000);
  return /\b401\b|api.key|unauthorized|credentials/i.test(short)
    ? `${short} (log in again: opencode auth login)`
    : short;
}

const doing: Readonly<Record<string, readonly [word: string, input: string]>> = {
  bash: ["$", "command"],
  write: ["writes", "filePath"],
  edit: ["edits", "filePath"],
  read: ["reads", "filePath"],
  grep: ["searches", "pattern"],
  glob: ["looks for", "pattern"],
};

/** The news in an event for a person who waits. */
export function describeOpencodeEvent(event: JsonLine): string | undefined {
  const part = event["type"] === "tool_use" ? lineAt(event, "part") : undefined;
  const name = textAt(part, "tool") ?? "";
  const known = Object.hasOwn(doing, name) ? doing[name] : undefined;
  return known && `${known[0]} ${textAt(lineAt(lineAt(part, "state"), "input"), known[1]) ?? ""}`;
}

export function opencodeText(event: JsonLine): StreamedText | undefined {
  const part = event["type"] === "text" ? lineAt(event, "part") : undefined;
  const text = textAt(part, "text");
  return text === undefined ? undefined : { text };
}
