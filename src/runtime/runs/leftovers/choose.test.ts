// Which leftovers go: the old ones, and the oldest of the others when together they are too large.
import { expect, it } from "vitest";
import { chooseLeftovers, prunePolicy } from "./choose.ts";

const day = 86_400_000;
const now = 1_000 * day;
const megabyte = 1_048_576;
const aged = (days: number, megabytes = 1) => ({ path: `${days}`, at: now - days * day, bytes: megabytes * megabyte });
const chosen = (all: readonly ReturnType<typeof aged>[], bounds: { days: number; megabytes: number }) =>
  chooseLeftovers(all, bounds, now).map(({ path }) => path);

it("[B-31] what is older than its days goes, whatever its size", () => {
  expect(chosen([aged(8, 0), aged(6), aged(7.5)], { days: 7, megabytes: 100 })).toEqual(["7.5", "8"]);
});

it("[B-31] the oldest go until the rest is small enough", () => {
  const all = [aged(3, 40), aged(4, 40), aged(5, 40), aged(6, 1)];
  expect(chosen(all, { days: 7, megabytes: 100 })).toEqual(["5", "6"]);
  expect(chosen(all, { days: 7, megabytes: 200 })).toEqual([]);
});

it("what a check may still use stays, however large it is", () => {
  expect(chosen([aged(0, 900), aged(1.9, 900), aged(2.1, 0)], { days: 2, megabytes: 0 })).toEqual(["2.1"]);
  expect(chosen([aged(-5, 900)], { days: 2, megabytes: 0 })).toEqual([]);
});

it("it is on without a setting, and each bound can be set", () => {
  expect(prunePolicy({})).toEqual({
    automatic: true,
    scratch: { days: 7, megabytes: 2_048 },
    artifacts: { days: 30, megabytes: 512 },
  });
  const set = { automatic: false, scratchDays: 3, scratchMegabytes: 4, artifactDays: 5, artifactMegabytes: 6 };
  expect(prunePolicy({ prune: set })).toEqual({
    automatic: false,
    scratch: { days: 3, megabytes: 4 },
    artifacts: { days: 5, megabytes: 6 },
  });
});
