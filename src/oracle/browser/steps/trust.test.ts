import { describe, expect, it } from "vitest";
import { otherMode } from "./mode.ts";
import { isDoubtful } from "./trust.ts";
import { heldByInput } from "./attach.ts";
import type { PageSnapshot } from "../shapes.ts";

const answer = {
  key: "a",
  markdown: "Yes.",
  done: true,
  busy: false,
  placeholder: false,
  preamble: false,
  pictures: 0,
  model: null,
};
const sure = { isThought: false, isWorkSeen: true };

describe("[S-4] a short text with finished marks", () => {
  it.each([
    ["after work that was seen", answer, sure, false],
    ["after a placeholder", answer, { ...sure, isThought: true }, true],
    ["without any work that was seen", answer, { ...sure, isWorkSeen: false }, true],
    ["that announces work", { ...answer, preamble: true }, sure, true],
    ["a long text after a placeholder", { ...answer, markdown: "x".repeat(200) }, { ...sure, isThought: true }, false],
  ])("%s", (_, look, seen, doubtful) => {
    expect(isDoubtful(look, seen, 200)).toBe(doubtful);
  });
});

const page = (change: Partial<PageSnapshot>) =>
  ({ url: "https://github.com/copilot", mode: null, chips: [], inputFiles: [], ...change }) as unknown as PageSnapshot;

describe("where a message starts a task", () => {
  it.each([
    ["no choice of modes", page({}), null],
    ["the chat", page({ mode: { label: "Ask", wanted: true, target: "Repository: a/b" } }), null],
    [
      "a task",
      page({ mode: { label: "Agent", wanted: false, target: "Repository: a/b" } }),
      /"Agent" \(Repository: a\/b\)/,
    ],
    ["a target alone", page({ mode: { label: "Repository: a/b", wanted: false, target: "Repository: a/b" } }), /a\/b/],
    ["the page of a task", page({ url: "https://github.com/a/b/tasks/1f" }), /task/],
  ])("%s", (_, snapshot, why) => {
    const found = otherMode(snapshot, ["^/[^/]+/[^/]+/tasks/"]);
    expect(found === null ? null : why === null ? found : why.test(found)).toBe(why === null ? null : true);
  });
});

describe("files without chips", () => {
  it.each([
    ["exactly ours in the input", page({ inputFiles: ["b.md", "a.md"] }), true],
    ["one more in the input", page({ inputFiles: ["a.md", "b.md", "c.md"] }), false],
    ["an emptied input", page({}), false],
    ["a chip", page({ inputFiles: ["a.md", "b.md"], chips: [{ names: ["a.md"], busy: false }] }), false],
  ])("%s", (_, snapshot, held) => {
    expect(heldByInput(snapshot, ["a.md", "b.md"])).toBe(held);
  });
});
