// The end of a limit, as an agent program or its service says it when a call fails.
import { expect, it } from "vitest";
import type { CommandOutcome, ProviderCall } from "../../core/contract/index.ts";
import { answerOf } from "./answer.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import type { AgentProgram } from "./program.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const answer = (program: AgentProgram, stdout: string, stderr = "", exitCode = 1) =>
  answerOf({
    program,
    call: { maxAnswerBytes: 1_000_000, timeoutMs: 1_000 } as ProviderCall,
    command: { args: [], permissionMode: "x" },
    argv: [program.id],
    outcome: {
      ended: "exited",
      exitCode,
      signal: null,
      stdout: bytes(stdout),
      stderr: bytes(stderr),
      durationMs: 5,
      sandbox: { kind: "none" },
    } as unknown as CommandOutcome,
    meter: { used: () => ({ inputTokens: 0, outputTokens: 0, estimated: true }), over: () => null } as never,
  });

const end = 1_895_086_000;

it.each([
  [
    "an event of Claude Code",
    claude,
    `{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":${end}}}\n{"type":"result","is_error":true,"result":"You've hit your limit"}`,
    "",
  ],
  [
    "words of Claude Code",
    claude,
    `{"type":"result","is_error":true,"result":"Claude AI usage limit reached|${end}"}`,
    "",
  ],
  [
    "an event of Codex",
    codex,
    `{"type":"turn.failed","error":{"message":"{\\"error\\":{\\"type\\":\\"usage_limit_reached\\",\\"resets_at\\":${end}}}"}}`,
    "",
  ],
  ["the last words of Gemini", gemini, "", `quota exceeded; "reset_at": "${new Date(end * 1_000).toISOString()}"`],
])("a limit is known by %s", (_, program, stdout, stderr) => {
  expect(answer(program, stdout, stderr)).toMatchObject({ outcome: "failed", limitedUntil: end * 1_000 });
});

it("an answer that speaks of a limit, and a failure that names no end, are none", () => {
  const said = `{"type":"result","subtype":"success","is_error":false,"result":"usage limit reached|${end}"}`;
  expect(answer(claude, said, "", 0)).toMatchObject({ outcome: "answered" });
  expect(answer(claude, said, "", 0).limitedUntil).toBeUndefined();
  expect(answer(codex, "", "quota exceeded").limitedUntil).toBeUndefined();
});
