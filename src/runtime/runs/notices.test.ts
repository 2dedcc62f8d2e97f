// A notice that cannot be sent, whatever the reason is, changes nothing of the run.
import { expect, it } from "vitest";
import type { RunEvent, StoredEvent } from "../../core/contract/index.ts";
import type { Run } from "../../core/machine/index.ts";
import { noticeBox } from "./notices.ts";

const gate = { event: { type: "approval_required", gate: { kind: "doubts" } } } as unknown as StoredEvent<RunEvent>;
const run = { runId: "run_a", created: { goal: "g" }, phase: { state: "awaiting_approval" } } as unknown as Run;

it.each([
  ["a way that reports its trouble", async () => [{ by: "push" as const, sent: false, problem: "it answered 500" }]],
  ["a process without descriptors", () => Promise.reject(new Error("too many files are open"))],
])("%s is noted, and the run goes on", async (_, send) => {
  const notes: string[] = [];
  const box = noticeBox(send, (line) => void notes.push(line));
  box.event(gate, run);
  // A rejection that nobody awaits would end the process here.
  await new Promise((resolve) => setTimeout(resolve, 20));
  await box.settled();
  expect(notes).toEqual([expect.stringMatching(/^· the notice( by push)? was not sent: /)]);
});
