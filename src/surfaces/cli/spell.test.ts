// Each suggestion as the command that a person types.
import { describe, expect, it } from "vitest";
import type { RunRow, Suggestion } from "../../core/contract/index.ts";
import { compactRow } from "../../operations/run-data/index.ts";
import { jsonLine, spell } from "./spell.ts";

const runId = "run_1";
const gate = { runId, gateId: "gate_1" };

describe("a suggestion on the command line", () => {
  it.each<[Suggestion, string]>([
    [{ suggest: "status", runId }, "thehood status run_1"],
    [{ suggest: "continue", runId }, "thehood continue run_1"],
    [{ suggest: "verify_log", runId }, "thehood log verify run_1"],
    [
      { suggest: "artifact", runId, ref: `sha256:0123456789ab${"c".repeat(52)}` },
      "thehood show run_1 --artifact 0123456789ab",
    ],
    [{ suggest: "answer", answer: "approve" }, "thehood approve"],
    [
      { suggest: "answer", answer: "approve", ...gate, phrase: "apply isolated patch" },
      'thehood approve run_1 --gate gate_1 --message "apply isolated patch"',
    ],
    [{ suggest: "answer", answer: "accept", ...gate, phrase: null }, "thehood approve run_1 --gate gate_1 --accept"],
    [{ suggest: "answer", answer: "retry", ...gate }, "thehood approve run_1 --gate gate_1 --retry"],
    [
      { suggest: "answer", answer: "extend", ...gate, addTokens: 500 },
      "thehood approve run_1 --gate gate_1 --add-tokens 500",
    ],
    [{ suggest: "answer", answer: "extend" }, "thehood approve --add-tokens N or --add-minutes N"],
    [{ suggest: "answer", answer: "revise", ...gate }, 'thehood revise run_1 --gate gate_1 --message "…"'],
    [{ suggest: "answer", answer: "reject", ...gate }, "thehood reject run_1 --gate gate_1"],
    [{ suggest: "assign_role", role: "qa", runId }, "thehood roles set qa provider:model --run run_1"],
    [{ suggest: "assign_role", role: null, runId: null }, "thehood roles set ROLE provider:model"],
    [{ suggest: "models" }, "thehood models"],
    [{ suggest: "workers" }, "thehood workers"],
  ])("%j is typed as %s", (suggestion, text) => {
    expect(spell(suggestion)).toBe(text);
  });

  it("is in JSON as the command that it is, at any depth", () => {
    const line = jsonLine({
      next: [{ kind: "continue", command: { suggest: "continue", runId } }],
      fallbacks: ["plain", { advice: "See who can", suggestions: [{ suggest: "models" }] }],
      nothing: null,
    });
    expect(JSON.parse(line)).toEqual({
      next: [{ kind: "continue", command: "thehood continue run_1" }],
      fallbacks: ["plain", "See who can: thehood models"],
      nothing: null,
    });
  });
});

describe("a row of the list", () => {
  const row = (next: unknown): RunRow => ({
    runId,
    createdAt: 1,
    updatedAt: 2,
    seq: 3,
    goal: "g",
    mode: "plan",
    state: "awaiting_approval",
    brief: { doing: "waits", gate: { id: "gate_1" }, next },
  });
  const shown = (next: unknown): unknown => JSON.parse(jsonLine(compactRow(row(next))));

  it("spells the suggestion of a row as a command", () => {
    const next: Suggestion = { suggest: "answer", answer: "approve", ...gate, phrase: null };
    expect(shown(next)).toMatchObject({ next: "thehood approve run_1 --gate gate_1" });
  });
});
