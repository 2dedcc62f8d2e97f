// Stops of real runs: the first screen says why, and its command, typed as it stands there, is taken.
import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { bin, fixing, openTestDesk, sample, stub } from "./program.ts";

const autopilot = ["--approvals", "autopilot"];
const role = (name: string, step: object) => stub({ repeatLast: true, roles: { ...fixing.roles, [name]: [step] } });
const scripts = (test: string) => ({
  ...sample,
  "package.json": JSON.stringify({ name: "sample", type: "module", scripts: { test } }),
});

interface Stop {
  readonly name: string;
  readonly words: readonly string[];
  readonly reason: RegExp;
  /** Stands below, where the first screen has no room. */
  readonly further?: RegExp;
  readonly files?: Readonly<Record<string, string>>;
  readonly command: RegExp;
  /** The exit code of the command: 3 where it was taken and the run stands at its next question. */
  readonly ends: number;
}

const stops: readonly Stop[] = [
  {
    name: "the start",
    words: stub(fixing),
    reason: /Start editing in an isolated worktree/,
    command: /^thehood (?:approve) /,
    ends: 3,
  },
  {
    name: "a program that is not installed",
    words: [...autopilot, ...stub(fixing)],
    files: scripts("no-such-runner"),
    reason: /no-such-runner is not installed/,
    command: /^thehood approve /,
    ends: 3,
  },
  {
    name: "a check that fails, with its assertion",
    words: [
      ...autopilot,
      ...role("implementer", {
        edits: [{ op: "replace", path: "README.md", find: "# Sample", with: "# A sample" }],
        payload: { changedFiles: ["README.md"] },
      }),
    ],
    reason: /What failed: npm run test \(failed\)/,
    further: /AssertionError.*-1 == 3/,
    command: /^thehood (?:approve|revise) /,
    ends: 3,
  },
  {
    name: "an agent that is not there",
    words: [...autopilot, ...role("orchestrator", { behave: "unavailable" })],
    reason: /unavailable|cannot go on/,
    command: /^thehood (?:approve|roles) /,
    ends: 3,
  },
  {
    name: "an agent that crashed",
    words: [...autopilot, ...role("implementer", { behave: "crash" })],
    reason: /implementer|unknown|cannot go on/,
    command: /^thehood approve /,
    ends: 4,
  },
  {
    name: "a verifier that asks",
    words: [...autopilot, ...role("verifier", { payload: { verdict: "ask_user", summary: "is it meant so?" } })],
    reason: /is it meant so\?|ask_user/,
    command: /^thehood approve .* --accept/,
    // Work that is taken without the verifier's approval completes with a doubt.
    ends: 9,
  },
  {
    name: "no change",
    words: [...autopilot, ...role("implementer", { payload: { status: "no_change", changedFiles: [] } })],
    reason: /no.change|nothing/i,
    command: /^thehood show \S+ --log/,
    ends: 0,
  },
  {
    name: "the end",
    words: [...autopilot, ...stub(fixing)],
    reason: /completed/,
    command: /^thehood (?:report) /,
    ends: 0,
  },
];

/** The program by its plain name, as the screen spells it. */
function named(): string {
  const folder = tempFolder("bin-");
  symlinkSync(bin, join(folder, "thehood"));
  return folder;
}

it.each(stops)("[B-20] $name: the reason and a command that works stand on the first screen", (stop) => {
  const desk = openTestDesk(stop.files);
  const { runId } = desk
    .thehood(["run", "make add add", "--team", "stub", ...stop.words, "--json"])
    .json<{ runId: string }>();
  const text = desk.thehood(["status", runId]).out;
  const screen = text.split("\n").slice(0, 24).join("\n");
  expect(text).toMatch(stop.further ?? stop.reason);
  expect(desk.thehood(["show", runId, "--verbose"]).out).toMatch(stop.further ?? /Crew/);
  expect(screen).toMatch(stop.reason);
  expect(screen).toMatch(/→ thehood [a-z]+/);
  const { next } = desk.thehood(["status", runId, "--json"]).json<{ next: { command: string | null }[] }>();
  // Looking is always possible; the command that is tried here is the one that moves the run or tells how it ended.
  const command = next.find((one) => /^thehood (?!status|show \S+$)/.test(one.command ?? ""))?.command ?? "";
  expect(command).toMatch(stop.command);
  const typed = spawnSync("sh", ["-c", command.replace("…", "use plus")], {
    cwd: desk.repo.dir,
    env: { ...desk.env, PATH: `${named()}:${desk.env["PATH"]}` },
    encoding: "utf8",
  });
  expect(stop.ends, `${command}: ${typed.stdout}${typed.stderr}`).toBe(typed.status);
});
