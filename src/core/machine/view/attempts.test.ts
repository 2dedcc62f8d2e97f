import { expect, it } from "vitest";
import { Play, autopilot } from "../../../../tests/support/play.ts";
import { openGates } from "../index.ts";
import { attemptOf, rankAttempts, whyBehind, type Attempt } from "./index.ts";

const attempt = (number: number, more: Partial<Attempt> = {}): Attempt => ({
  runId: `run_${number}`,
  number,
  of: 4,
  agent: "stub:a",
  standing: "ready",
  doing: "",
  facts: {
    claims: { proven: 4, all: 4 },
    mistakes: { planted: 6, noticed: 6 },
    findings: 0,
    files: 1,
    added: 2,
    removed: 2,
  },
  ms: 1_000,
  usd: 1,
  cost: "$1.00",
  ...more,
});
const facts = (more: Partial<NonNullable<Attempt["facts"]>>): Partial<Attempt> => {
  const { facts: usual } = attempt(1);
  return usual ? { facts: { ...usual, ...more } } : {};
};

const worse: readonly (readonly [string, Partial<Attempt>, RegExp])[] = [
  ["a claim that is not proven", facts({ claims: { proven: 3, all: 4 } }), /4 of 4 claims proven against 3 of 4/],
  [
    "fewer noticed mistakes",
    facts({ mistakes: { planted: 9, noticed: 6 } }),
    /6 of 6 planted mistakes noticed against 6 of 9/,
  ],
  ["a doubt", facts({ findings: 1 }), /0 doubts against 1 doubt/],
  ["more changed lines", facts({ added: 5 }), /4 changed lines against 7/],
  ["more time", { ms: 9_000 }, /1 s of work against 9 s/],
  ["more money", { usd: 2 }, /\$1\.00 against \$2\.00/],
  ["no result that was judged", { facts: null }, /a result that was judged/],
];

it.each(worse)("[B-36] %s puts an attempt behind another, and is its reason", (_, more, reason) => {
  const [one, other] = [attempt(2), attempt(1, more)];
  expect(rankAttempts([other, one]).map(({ runId }) => runId)).toEqual(["run_2", "run_1"]);
  expect(whyBehind(other, one)).toMatch(reason);
  // The person took the one behind: the reason says that, too.
  expect(whyBehind(one, other)).toMatch(/^attempt 1 of 4 \(run_1\) was taken, although this one has /);
});

it("[B-36] the first fact that differs decides: claims before mistakes, doubts, lines, time and money", () => {
  const rows = worse.slice(0, 6).map(([, more], at) => attempt(at + 1, more));
  expect(rankAttempts(rows).map(({ number }) => number)).toEqual([6, 5, 4, 3, 2, 1]);
});

it("[B-36] results come before what is at work, and that before what ended; equal facts keep their order", () => {
  const rows = [attempt(1, { standing: "ended" }), attempt(2, { standing: "working" }), attempt(3), attempt(4)];
  expect(rankAttempts(rows).map(({ number }) => number)).toEqual([3, 4, 2, 1]);
  expect(whyBehind(attempt(4), attempt(3))).toMatch(/the facts of both are equal/);
});

it("[B-36] no policy takes the work of an attempt: autopilot stops at its result, with the facts of the work", () => {
  const one = { number: 2, of: 3, group: "run_first" };
  const play = new Play({ policy: autopilot, attempt: one }).go();
  expect(openGates(play.run).map(({ continuation }) => continuation)).toEqual(["apply_patch"]);
  expect(attemptOf(play.run)).toMatchObject({ number: 2, of: 3, standing: "ready" });
  expect(attemptOf(play.run)?.facts?.claims.proven).toBeGreaterThan(0);
  play.answer("approve");
  expect(attemptOf(play.run)?.standing).toBe("taken");
  expect(attemptOf(new Play({ policy: autopilot }).go().run)).toBeUndefined();
});
