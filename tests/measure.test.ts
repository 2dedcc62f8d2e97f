import { expect, it } from "vitest";
import { measure } from "../scripts/measure/count.ts";
import { page } from "../scripts/measure/page.ts";
import { sets } from "../scripts/measure/sets.ts";
import { loadJudge } from "./support/commands/load.ts";

const judge = await loadJudge();
const setOf = (file: string) => sets.find((set) => set.file === file) ?? expect.fail(`no set ${file}`);

it("a set is counted in both directions, by the meaning of its labels", () => {
  const { counts, missed, labels } = measure(
    setOf("commands-dcg"),
    [
      { id: "a", cmd: "rm -rf /", label: "gate" },
      { id: "b", cmd: "ls", label: "gate" },
      { id: "c", cmd: "git status", label: "allow_by_dcg" },
      { id: "d", cmd: "npm install", label: "allow_by_dcg" },
      { id: "e", cmd: "ls", label: "else" },
    ],
    judge,
  );
  expect(counts).toEqual({ must: { hits: 1, all: 2 }, free: { hits: 1, all: 2 }, apart: { hits: 0, all: 0 } });
  expect([missed, labels]).toEqual([["b"], ["else"]]);
});

it("single values are counted after redaction, and the page shows figures, sources and losses", () => {
  const value = "k3Jd82hLq9Zx";
  const cases = [{ id: "x", text: `password = "${value}"\nother`, label: "secret", expect: [value, "other"] }];
  const result = measure(setOf("secrets-credsweeper"), cases, judge);
  expect(result.values).toEqual({ hits: 1, all: 2 });
  const missing = measure(setOf("secrets-leaky-repo"), [{ id: "lost", text: "nothing", label: "secret" }], judge);
  const text = page([result, missing], [], { date: "2026-01-02", commit: "abc" });
  expect(text).toContain("on 2026-01-02 at commit abc");
  expect(text).toContain("1 of 2 (50 %) values");
  expect(text).toMatch(/gitleaks 34/);
  expect(text).toMatch(/^- leaky-repo.*`lost`$/m);
});
