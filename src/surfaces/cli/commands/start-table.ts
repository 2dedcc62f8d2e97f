// Commands that begin a run or take one up again.
import type { CommandSpec, OptionSpec } from "../spec.ts";
import { latestRun } from "./run-words.ts";

/** Who can be named for one run. */
export const assignable = [
  "orchestrator",
  "planner",
  "researcher",
  "implementer",
  "qa",
  "verifier",
  "critic",
] as const;

const roleFlags: readonly OptionSpec[] = assignable.map((role) => ({
  name: role,
  value: "p:m",
  help: `who plays ${role} in this run, as provider:model`,
}));

const startFlags: readonly OptionSpec[] = [
  { name: "team", value: "name", help: "a ready-made team for this run (see thehood teams)" },
  ...roleFlags,
  { name: "constraint", value: "text", many: true, help: "something the work must respect" },
  { name: "acceptance", value: "text", many: true, help: "what must be true at the end" },
  {
    name: "check",
    value: "command",
    many: true,
    help: "a validation command, instead of those found in the project",
  },
  { name: "no-checks", help: "you waive validation for this run; the record says so" },
  {
    name: "waive",
    value: "command",
    many: true,
    help: "let this check stand as it is, if this work did not break it",
  },
  { name: "allowed-path", value: "glob", many: true, help: "the only paths that may change" },
  { name: "disallowed-path", value: "glob", many: true, help: "paths that must not change" },
  {
    name: "approvals",
    value: "mode",
    choices: ["manual", "auto_low_risk", "autopilot"],
    help: "what may pass without you",
  },
  { name: "max-iterations", value: "n", help: "provider answers after which the run fails" },
  { name: "max-tokens", value: "n", help: "tokens after which the run asks" },
  { name: "max-minutes", value: "n", help: "working minutes after which the run asks" },
  {
    name: "stub-script",
    value: "file",
    help: "what the stub provider plays in this run (a JSON file, or inline JSON)",
  },
  { name: "no-loop", help: "create the run and stop" },
];

const loopFlags: readonly OptionSpec[] = [
  { name: "max-cycles", value: "n", help: "stop after this many rounds of the runner" },
];

const start = async () => import("./start.ts");
const group = "Start work";

export const startTable: readonly CommandSpec[] = [
  {
    name: "run",
    group,
    summary: "Run a goal to verified, integrated work, or to the gate that needs you",
    args: [{ name: "goal", help: "a goal, in quotes" }],
    options: [
      {
        name: "mode",
        value: "mode",
        choices: ["implement", "plan", "research", "review"],
        help: "what kind of run",
      },
      ...startFlags,
      ...loopFlags,
    ],
    examples: [
      'thehood run "make the login test stable"',
      'thehood run "fix the parser" --check "npm test" --approvals autopilot',
    ],
    load: async () => (await start()).run,
  },
  {
    name: "goal",
    group,
    summary: "The same as run, in implement mode",
    args: [{ name: "goal", help: "a goal, in quotes" }],
    options: [...startFlags, ...loopFlags],
    examples: ['thehood goal "make the login test stable" --team codex-default'],
    load: async () => (await start()).goal,
  },
  {
    name: "plan",
    group,
    summary: "Make a plan; nothing is edited",
    args: [{ name: "goal", help: "a goal, in quotes" }],
    options: [...startFlags, ...loopFlags],
    examples: [
      'thehood plan "split the parser into two files" --planner claude-code:opus',
      "thehood report        # the plan it made",
    ],
    load: async () => (await start()).plan,
  },
  {
    name: "research",
    group,
    summary: "Answer a question about the repository; nothing is edited",
    args: [{ name: "goal", help: "a question, in quotes" }],
    options: [...startFlags, ...loopFlags],
    examples: ['thehood research "where is the session cookie set?"'],
    load: async () => (await start()).research,
  },
  {
    name: "review",
    group,
    summary: "Have the repository or a change reviewed; nothing is edited",
    args: [{ name: "goal", help: "what to review, in quotes" }],
    options: [...startFlags, ...loopFlags],
    examples: ['thehood review "the last commit: is the cache safe with two writers?"'],
    load: async () => (await start()).review,
  },
  {
    name: "continue",
    group,
    summary: "Take a run up again, also after a crash",
    args: [latestRun],
    options: [
      { name: "wait", value: "s", help: "wait this long for another process that advances it" },
      { name: "beside", help: "only what was asked beside the loop, such as a summon" },
    ],
    more: "A call that was sent before a crash is found again, or the run asks you: it is never sent twice by itself.",
    examples: ["thehood continue", "thehood continue run_0mwh --wait 60"],
    load: async () => (await start()).resume,
  },
  {
    name: "loop",
    group,
    summary: "Advance a run until it ends, a gate needs you, or nothing moves",
    args: [latestRun],
    options: loopFlags,
    more: "It approves nothing: exit code 3 says that a gate needs you.",
    examples: ["thehood loop run_0mwh --max-cycles 3"],
    load: async () => (await start()).loop,
  },
  {
    name: "demo",
    group,
    summary: "Watch a whole governed run on a sample repository, with the stub provider",
    options: [{ name: "dir", value: "dir", help: "where to make the sample (default: a temporary folder)" }],
    examples: ["thehood demo", "thehood demo --dir /tmp/sample"],
    load: async () => (await import("./demo.ts")).demo,
  },
];
