import { expect, it, vi } from "vitest";
import type { GateOptions } from "./gate-answers.ts";
import { plainOf } from "../text/line.ts";
import { createGateQuestion } from "./gate-question.ts";

function scene(word: string | null) {
  const act = vi.fn<(...args: unknown[]) => Promise<undefined>>(async () => undefined);
  const deps = { act, redraw: () => undefined, showNote: () => undefined, spell: () => "" };
  const summary = { sort: "result", word, questions: { approve: "Apply 2 files?" } };
  const gate = { id: "gate_1", sha256: "ab", phrase: "apply isolated patch", answers: ["approve"], summary };
  const options = { deps, gate, open: { runId: "run_1" }, recordOnly: true, decided: () => undefined };
  const question = createGateQuestion(options as unknown as GateOptions);
  const type = (...keys: string[]) => keys.forEach((key) => question.takes(key));
  const note = () => plainOf(question.note() ?? []);
  return { act, question, type, note };
}

const recorded = ["approve", expect.objectContaining({ message: "apply isolated patch", sha256: "ab" })] as const;

it("[B-32] y answers a question that names what happens, and the phrase for programs goes with it", () => {
  const { act, question, type, note } = scene(null);
  question.ask("approve");
  expect(note()).toBe("Apply 2 files? y/n");
  type("n");
  expect(question.note()).toBeUndefined();
  question.ask("approve");
  type("x");
  expect(act).not.toHaveBeenCalled();
  type("y");
  expect(act).toHaveBeenCalledWith(...recorded);
});

it.each([
  ["shows what is open now where the gate was answered on another screen", [], 1],
  ["stays where the answer was refused and the gate is open", [{ id: "gate_1" }], 0],
])("[B-32] %s", async (_, gates, reopened) => {
  const reopen = vi.fn<() => void>();
  const redrawn = Promise.withResolvers<void>();
  const deps = {
    act: async (operation: string) => (operation === "gate" ? { gates } : undefined),
    redraw: () => redrawn.resolve(),
    spell: () => "",
  };
  const gate = { id: "gate_1", sha256: "ab", phrase: null, answers: ["approve"], summary: { sort: "start" } };
  const options = { deps, gate, open: { runId: "run_1" }, recordOnly: true, decided: () => undefined, reopen };
  createGateQuestion(options as unknown as GateOptions).decideNow("approve");
  await redrawn.promise;
  expect(reopen).toHaveBeenCalledTimes(reopened);
});

it("[B-32] what cannot be undone takes one short word: it is shown, and a wrong one gets an answer", () => {
  const { act, question, type, note } = scene("waive");
  question.ask("approve");
  expect(note()).toContain("Type waive: ▏waive");
  expect(question.typing()).toBe(true);
  type(..."yes", "enter");
  expect(note()).toContain("“yes” is not waive");
  expect(act).not.toHaveBeenCalled();
  type("ctrl-u", ..."waivx", "backspace", "e", "enter");
  expect(act).toHaveBeenCalledWith(...recorded);
});
