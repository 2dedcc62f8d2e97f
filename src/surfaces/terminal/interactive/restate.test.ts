import { expect, it } from "vitest";
import { readRestated, restateDraft } from "./restate.ts";

const goal = "Make add() add";
const criteria = ["add(1, 2) is 3", "nothing else changes"];
const draft = restateDraft(goal, criteria);

it.each([
  ["nothing", draft, undefined],
  ["a closed editor", null, undefined],
  ["no goal", draft.replace(goal, ""), undefined],
  ["the goal", draft.replace(goal, "Make add() add\nand keep its name"), { goal: "Make add() add\nand keep its name" }],
  [
    "one criterion",
    draft.replace(criteria[1] ?? "", "the docs too"),
    { acceptanceCriteria: [criteria[0], "the docs too"] },
  ],
  ["a goal that begins like a comment", draft.replace(goal, "# Add"), { goal: "# Add" }],
  ["every criterion taken out", draft.replace(criteria.join("\n"), ""), { acceptanceCriteria: ["The goal is met."] }],
])("%s is read from the text of the editor", (_, text, changed) =>
  expect(readRestated(text, goal, criteria)).toEqual(changed),
);

it("keeps the criteria where their heading is gone", () => {
  expect(readRestated("Another goal\n", goal, criteria)).toEqual({ goal: "Another goal" });
});
