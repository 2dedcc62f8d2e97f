// The list of runs as a person reads it: the mark of a row agrees with its group.
import { expect, it } from "vitest";
import type { RunRow } from "../../../core/contract/index.ts";
import { createStyle } from "../../argv/index.ts";
import { runs } from "./list.ts";

const row = (runId: string, state: string, suggest: string | null): RunRow =>
  ({
    runId,
    goal: "add mul",
    mode: "implement",
    state,
    updatedAt: Date.now(),
    brief: { doing: "", next: suggest === null ? null : { suggest, runId } },
  }) as unknown as RunRow;

it("[B-32] calls a run without a process stopped, and one with a process running", async () => {
  let said = "";
  const list = {
    total: 3,
    rows: [row("run_1", "verifying", "watch"), row("run_2", "verifying", "continue"), row("run_3", "failed", null)],
    waiting: [],
    sessions: [],
    nextCursor: null,
    state: undefined,
    limit: 20,
  };
  const io = { terminal: false, columns: 80, out: (text: string) => void (said += text) };
  const view = { io, style: createStyle(false), spell: () => "thehood continue run_2" };
  await runs.print?.(list as never, view as never);
  expect(said.split("\n").map((line) => line.slice(0, 19).trimEnd())).toEqual([
    "Running",
    "● running   add mul",
    "Stopped",
    "■ stopped   add mul",
    "  → thehood continu",
    "Ended today",
    "✘ failed    add mul",
    "",
  ]);
});
