// The list of runs as rows: the words of a row, and the keys that work while something is typed or asked.
import { describe, expect, it } from "vitest";
import type { Home, HomeRow } from "../../../operations/run-data/index.ts";
import { plainOf } from "../text/line.ts";
import { createListView } from "./list-view.ts";
import type { ViewDeps } from "./view.ts";

const size = { columns: 80, rows: 24 };

const row = (more: Partial<HomeRow>): HomeRow =>
  ({
    runId: "run_1",
    repo: "/r",
    goal: "Add a function",
    state: "completed",
    stopReason: "success",
    group: "ended",
    since: 0,
    why: "",
    numbers: [],
    risk: null,
    undone: false,
    ...more,
  }) as HomeRow;

function scene(rows: readonly HomeRow[], columns = size.columns) {
  const deps = { note: () => [], showNote: () => undefined, spell: () => "" } as unknown as ViewDeps;
  const first = { rows, repos: [{ repo: "/r", problem: null }], sessions: [], more: 0 } as unknown as Home;
  const view = createListView({
    deps,
    first,
    limit: 20,
    oracle: async () => [],
    open: () => undefined,
    session: () => undefined,
  });
  return {
    rows: () => view.frame({ ...size, columns }, 60_000).map((one) => plainOf(one).trimEnd()),
    press: (...keys: string[]) => keys.forEach((key) => view.key(key, size)),
  };
}

describe("[B-32] the list of runs", () => {
  it("keeps the state of a run apart from its goal, also where doubts stay", () => {
    const { rows } = scene([row({ stopReason: "completed_with_doubts" }), row({ runId: "run_2" })]);
    expect(rows().filter((one) => one.includes("Add a function"))).toEqual([
      expect.stringMatching(/^❯ \? doubts {4}Add a function/),
      expect.stringMatching(/^ {2}✔ completed Add a function/),
    ]);
  });

  it("shows the numbers of a run beside its goal, as many as leave the goal room", () => {
    const numbers = ["2 files +4 −1", "✔ 3/3", "$0.34", "5/6 noticed"];
    const { rows } = scene([row({ numbers }), row({ goal: "Add a function that rounds", runId: "run_2", numbers })]);
    expect(rows()[3]).toMatch(/^❯ ✔ completed Add a function {2,}2 files \+4 −1 {2}✔ 3\/3 {2}\$0\.34 {2}1 min$/);
    const { rows: wide } = scene([row({ numbers })], 140);
    expect(wide()[3]).toMatch(/Add a function {2,}2 files \+4 −1 {2}✔ 3\/3 {2}\$0\.34 {2}5\/6 noticed {2}1 min$/);
  });

  it.each([
    ["n", "enter start  escape cancel"],
    ["/", "enter keep  escape show all"],
    ["A", "y yes  n not now"],
  ])("names only the keys that work after %s", (key, keys) => {
    const { rows, press } = scene([row({ state: "awaiting_approval", stopReason: null, group: "waits" })]);
    expect(rows().at(-1)).toContain("enter open");
    press(key);
    expect(rows().at(-1)).toBe(keys);
    press("escape");
    expect(rows().at(-1)).toContain("enter open");
  });
});
