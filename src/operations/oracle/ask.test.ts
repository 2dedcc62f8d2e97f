import { expect, it } from "vitest";
import type { RunOutcome, WriteProblem } from "../../core/contract/transport/index.ts";
import { askExit } from "./ask.ts";

const watched = (problems: readonly WriteProblem[]) => ({
  kind: "watched" as const,
  seen: { result: { status: "success" }, answer: "42", problems } as unknown as RunOutcome,
});

it("a run whose result could not be written does not exit as a success, whatever the message says", () => {
  expect(askExit(watched([]))).toBe(0);
  expect(askExit(watched([{ target: "result", message: "the disk is full" }]))).toBe(1);
  expect(askExit(watched([{ target: "metrics", message: "result.json: the disk is full" }]))).toBe(0);
});
