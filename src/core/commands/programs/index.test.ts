import { expect, it } from "vitest";
import { families } from "./index.ts";

it("every program belongs to one family only", () => {
  const names = Object.values(families).flatMap((family) => Object.keys(family));
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  expect(twice).toEqual([]);
});

it("names are names of programs", () => {
  const names = Object.values(families).flatMap((family) => Object.keys(family));
  expect(names.filter((name) => !/^[\w.+:[-]+$/.test(name) || name.endsWith("_"))).toEqual([]);
  expect(names.length).toBeGreaterThan(1000);
});
