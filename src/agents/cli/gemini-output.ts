// Reads what Gemini CLI prints: its answer, its tokens, what it was refused, why it failed.
import { countAt, type JsonLine, jsonLines, lineAt, textAt } from "./lines.ts";
import type { AgentOutput, AgentReply, StreamedText } from "./program.ts";

/** The last words of the assistant: its pieces since it last used a tool. */
function lastMessage(lines: readonly JsonLine[]): string | undefined {
  const since = lines.findLastIndex(({ type }) => type === "tool_use" || type === "tool_result");
  const pieces = lines
    .slice(since + 1)
    .flatMap((line) =>
      line["type"] === "message" && line["role"] === "assistant" ? [textAt(line, "content") ?? ""] : [],
    );
  return pieces.length === 0 ? undefined : pieces.join("");
}

/** A tool that the policy forbids is not even known to the program. */
function denialsOf(lines: readonly JsonLine[]): string[] {
  const names = new Map(
    lines.map((line) => [line["tool_id"], textAt(line, "tool_name")] as const).toReversed(),
  );
  return lines.flatMap((line) => {
    const why = line["type"] === "tool_result" ? textAt(lineAt(line, "error"), "type") : undefined;
    return why !== undefined && /not_registered|denied|policy/.test(why)
      ? [names.get(line["tool_id"]) ?? "a tool without a name"]
      : [];
  });
}

export function readGemini({ stdout, stderr }: AgentOutput): AgentReply {
  const lines = jsonLines(stdout);
  const result = lines.findLast(({ type }) => type === "result");
  const stats = lineAt(result, "stats");
  const error = lineAt(result, "error");
  const failed = result !== undefined && result["status"] !== "success";
  const problem =
    textAt(error, "message") ??
    textAt(
      lines.findLast(({ type }) => type === "error"),
      "message",
    );
  return {
    text: result && !failed ? lastMessage(lines) : undefined,
    usage: stats && {
      inputTokens: countAt(stats, "input_tokens"),
      outputTokens: countAt(stats, "output_tokens"),
    },
    problem: failed ? explained(problem ?? "it ended with an error") : spoken(result, stderr),
    denials: denialsOf(lines),
  };
}

/** Without a result its last words stand on standard error. */
function spoken(result: JsonLine | undefined, stderr: string): string | undefined {
  if (result) return undefined;
  const said = /(?:Error|Please set an Auth method|requires|ModelNotFound)[^\n]*/.exec(stderr)?.[0];
  return said && explained(said);
}

function explained(problem: string): string {
  const short = problem.slice(0, 1_000);
  return /\b401\b|api.key.not.valid|API_KEY_INVALID|auth method|UNAUTHENTICATED/i.test(short)
    ? `${short} (log in again: run gemini once, or set GEMINI_API_KEY)`
    : short;
}

const doing: Readonly<Record<string, readonly [word: string, input: string]>> = {
  run_shell_command: ["$", "command"],
  write_file: ["writes", "file_path"],
  replace: ["edits", "file_path"],
  read_file: ["reads", "file_path"],
  grep_search: ["searches", "pattern"],
  glob: ["looks for", "pattern"],
};

/** The news in an event for a person who waits. */
export function describeGeminiEvent(event: JsonLine): string | undefined {
  const name = event["type"] === "tool_use" ? (textAt(event, "tool_name") ?? "") : "";
  const known = Object.hasOwn(doing, name) ? doing[name] : undefined;
  return known && `${known[0]} ${textAt(lineAt(event, "parameters"), known[1]) ?? ""}`;
}

export function geminiText(event: JsonLine): StreamedText | undefined {
  if (event["type"] !== "message" || event["role"] !== "assistant") return undefined;
  const text = textAt(event, "content");
  return text === undefined ? undefined : { text, more: event["delta"] === true };
}
