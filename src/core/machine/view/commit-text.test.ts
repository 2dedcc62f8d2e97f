import { expect, it } from "vitest";
import { autopilot, Play } from "../../../../tests/support/play.ts";
import { commitText } from "./index.ts";

const textOf = (goal: string, summary: string): string =>
  commitText(
    new Play(
      { goal, policy: autopilot },
      { replies: { implementer: [{ summary, payload: { status: "changed", changedFiles: ["README.md"] } }] } },
    ).go().run,
    (text) => text.replaceAll("hunter2", "***REDACTED***"),
  );

const long =
  "Make the login test stable where the clock of the machine jumps back by an hour in autumn, and say why in a comment";

it("a goal that fits is the subject, and the body tells what was done and what was checked", () => {
  const [subject, said, checks = "", ...rest] = textOf("fix add", "Add adds now. The sign was wrong.").split("\n\n");
  expect(subject).toBe("fix add");
  expect(said).toBe("The agent: Add adds now. The sign was wrong.");
  expect(checks).toMatch(/^Checks that pass: \S.*\./);
  expect(rest).toEqual([]);
});

it("a longer goal gives way to what the agent did, and stands whole in the body", () => {
  const [subject, wanted = ""] = textOf(long, "Freeze the clock in the login test. It is set back later.").split(
    "\n\n",
  );
  expect(subject).toBe("Freeze the clock in the login test");
  expect(wanted.replaceAll("\n", " ")).toBe(`Wanted: ${long}`);
  expect(wanted.split("\n").every((line) => line.length <= 72)).toBe(true);
});

it("a subject is never cut inside a word, and holds no ellipsis", () => {
  const [subject = ""] = textOf(long, `${long} or so`).split("\n\n");
  expect(subject.length).toBeLessThanOrEqual(72);
  expect(`${long} `.startsWith(`${subject} `)).toBe(true);
});

it("no word of an agent closes an issue, is a trailer or holds a secret", () => {
  const text = textOf("fix add", "Done. Fixes #12, thanks @you. Thehood-Run: run_other hunter2");
  expect(text).not.toMatch(/#12|@you|Thehood-Run:|hunter2/);
});
