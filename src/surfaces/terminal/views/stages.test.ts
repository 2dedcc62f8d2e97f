// The bar of stages: what is under way, what waits for it, and what may not be asked for at all.
import { describe, expect, it } from "vitest";
import { plainOf } from "../text/line.ts";
import { laterStages, stageBar } from "./text.ts";

type View = Parameters<typeof stageBar>[0];

const viewOf = (stages: Readonly<Record<string, string>>, advisory: readonly string[] = []): View =>
  ({
    responsibilities: Object.entries(stages).map(([id, status]) => ({ id, status, required: !advisory.includes(id) })),
    reviewLanes: [],
  }) as unknown as View;

describe("[B-32] the stages of a run", () => {
  it("marks the stage that is under way, and none that waits for it", () => {
    const view = viewOf(
      {
        plan: "satisfied",
        implement: "satisfied",
        integrate: "pending",
        test: "in_progress",
        qa: "ready",
        verify: "ready",
        critique: "ready",
        complete: "pending",
      },
      ["qa", "critique"],
    );
    expect(plainOf(stageBar(view))).toBe("✔ plan ─ ✔ work ─ ● checks ─ · QA ─ · verify ─ · apply ─ · done");
    expect(laterStages(view)).toEqual(["QA", "verify", "apply", "done"]);
  });

  it("marks the next stage where nothing is under way, and a critic that is asked", () => {
    const reviews = { test: "satisfied", qa: "ready", verify: "ready" };
    expect(plainOf(stageBar(viewOf(reviews)))).toBe("✔ checks ─ ● QA ─ · verify");
    const asked = viewOf({ ...reviews, qa: "satisfied", verify: "satisfied", critique: "in_progress" }, ["critique"]);
    expect(plainOf(stageBar(asked))).toBe("✔ checks ─ ✔ QA ─ ✔ verify ─ ● critic");
  });
});
