import { expect, it, vi } from "vitest";
import type { GateOptions } from "./gate-answers.ts";
import { createGateQuestion } from "./gate-question.ts";

function scene(phrase: string) {
  const act = vi.fn<(...args: unknown[]) => Promise<undefined>>(async () => undefined);
  const deps = { act, redraw: () => undefined, showNote: () => undefined, spell: () => "" };
  const gate = { id: "gate_1", sha256: "ab", phrase };
  const options = { deps, gate, open: { runId: "run_1" }, recordOnly: true, decided: () => undefined };
  const question = createGateQuestion(options as unknown as GateOptions);
  const type = (...keys: string[]) => keys.forEach((key) => question.takes(key));
  return { act, question, type, note: () => JSON.stringify(question.note()) };
}

it("a wrong phrase gets an answer that names both texts, ctrl-u clears it, and the right one decides", () => {
  const { act, question, type, note } = scene("apply it");
  question.ask("approve");
  expect(note()).toContain("To decide, type ");
  type(..."yes");
  const before = note();
  type("enter");
  expect(note()).not.toBe(before);
  expect(note()).toContain("Not the same: ");
  expect(note()).toContain("yes");
  expect(note()).toContain("apply it");
  expect(act).not.toHaveBeenCalled();
  type("ctrl-u");
  expect(note()).toContain("To decide, type ");
  type(..."apply", "x", "backspace", ..." it", "enter");
  expect(act).toHaveBeenCalledWith("approve", expect.objectContaining({ message: "apply it", sha256: "ab" }));
});
