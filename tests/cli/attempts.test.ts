// What is refused of several attempts, before anything begins.
import { expect, it } from "vitest";
import { openTestDesk, stub } from "./program.ts";

const crew = ["--team", "stub"];

it.each([
  ["one attempt", ["--attempts", "1"], /2/],
  ["nine attempts", ["--attempts", "9"], /8/],
  ["more attempts than teams", ["--attempts", "3", "--teams", "stub:a,stub:c"], /Name as many teams as attempts/],
  ["an unknown team", ["--teams", "stub:a,nobody"], /There is no team nobody\.[\s\S]*thehood teams/],
  ["an unknown agent", ["--teams", "stub:a,nobody:x"], /There is no provider "nobody"/],
  ["a mode that reads", ["--attempts", "2", "--mode", "plan"], /Leave out --mode/],
  ["work that is applied first", ["--attempts", "2", "--integrate", "early"], /Leave out --mode, --integrate early/],
  ["two names for the implementer", ["--teams", "stub:a,stub:c", "--implementer", "stub:d"], /Leave out --implementer/],
])("%s is refused with a remedy, and no attempt is left to work", (_, words, remedy) => {
  const desk = openTestDesk();
  const ran = desk.thehood(["run", "fix add", ...crew, ...words, ...stub({}), "--no-loop"]);
  expect(ran.code).not.toBe(0);
  expect(ran.err).toMatch(remedy);
  const { runs } = desk.thehood(["runs", "--json"]).json<{ runs: readonly { state: string }[] }>();
  expect(runs.filter(({ state }) => state !== "aborted")).toEqual([]);
});

it("a run that is none of several says so", () => {
  const desk = openTestDesk();
  desk.thehood(["run", "fix add", ...crew, "--no-loop"]);
  const ran = desk.thehood(["attempts"]);
  expect([ran.code, ran.err]).toEqual([2, expect.stringContaining("--attempts 3")]);
});
