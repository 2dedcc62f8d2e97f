// Every command as a person types it, in the order of a day: none prints its internal object (B-32).
import { expect, it } from "vitest";
import { day, commandOf } from "./day.ts";
import { fixing, openTestDesk, stub } from "./program.ts";

const raw = [
  /: (?:null|undefined)$/m,
  /\[object /,
  /\b1[6-9]\d{11}\b/,
  /^\s*[{[]"/m,
  /^\s*"\w+": /m,
  /[a-z][A-Z]\w*: /,
  /^\s*none$/m,
];

/** They show a file of the user, an artifact, a source or the output of a runner as it is. */
const verbatim = [
  "checks test",
  "config",
  "config set",
  "config unset",
  "mcp config",
  "artifact",
  "queue service",
  "check repo",
];

it("[B-32] no command prints a raw object to a person", { timeout: 900_000 }, () => {
  const lines = day.trim().split("\n");
  const desk = openTestDesk();
  const begin = (goal: string, ...more: string[]) =>
    desk.thehood(["run", goal, "--json", "--team", "stub", ...stub(fixing), ...more]).json<{ runId: string }>().runId;
  const [ended, open] = [begin("Mend add", "--approvals", "autopilot"), begin("Add again")];
  const { artifacts } = desk.thehood(["show", ended, "--json"]).json<{ artifacts: { ref: string }[] }>();
  const known: Record<string, string> = { RUN: ended, OPEN: open, REF: artifacts[0]?.ref ?? "", ITEMS: '["a.js"]' };
  const codes = new Map<string, number | null>();
  const wrong = lines.flatMap((line) => {
    if (line.includes("QUEUED"))
      known["QUEUED"] = /run_[a-z0-9]+/.exec(desk.thehood(["queue", "list", "--json"]).out)?.[0] ?? "none";
    const words = line.split(" ").map((word) => known[word] ?? word.replaceAll("_", " "));
    const { out, err, code } = desk.thehood(words, { input: "hello\n" });
    codes.set(line, code);
    const said = `${out}\n${err}`;
    const found = verbatim.includes(commandOf(line)) ? [] : raw.filter((one) => one.test(said));
    return found.map((one) => `${line}: ${one.exec(said)?.[0].trim()}`);
  });
  expect(wrong).toEqual([]);
  // A command line that is refused shows nothing: most of them must have been right.
  const right = [...codes].filter(([, code]) => code === 0 || code === 3);
  expect(right.length).toBeGreaterThan(lines.length * 0.7);
});
