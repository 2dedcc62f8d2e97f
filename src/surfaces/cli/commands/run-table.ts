// Commands that start, move, look at and decide about runs.
import type { CommandSpec, OptionSpec } from "../spec.ts";

const run = { name: "run", help: "a run id, or a unique beginning of one" };
const latestRun = {
  name: "run",
  optional: true,
  help: "a run id, or a unique beginning of one (default: the newest run)",
};

const roleFlags: readonly OptionSpec[] = [
  "orchestrator",
  "planner",
  "researcher",
  "implementer",
  "qa",
  "verifier",
  "critic",
].map((role) => ({ name: role, value: "p:m", help: `who plays ${role} in this run, as provider:model` }));

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

const sideFlags: readonly OptionSpec[] = [
  { name: "role", value: "role", help: "which role to call" },
  { name: "brief", value: "text", help: "what it is asked" },
  {
    name: "kind",
    value: "kind",
    choices: ["review", "qa", "critique", "research", "plan"],
    help: "what kind of answer is wanted",
  },
  { name: "persona", value: "text", help: "from which point of view" },
  { name: "constraint", value: "text", many: true, help: "something to respect" },
  { name: "evidence", value: "ref", many: true, help: "an artifact to lay before it" },
  { name: "agent", value: "p:m", help: "who answers, for this call only" },
];

const decideFlags: readonly OptionSpec[] = [
  { name: "message", short: "m", value: "text", help: "your words; a gate with a phrase wants it here" },
  { name: "gate", value: "id", help: "the gate you mean; refused when another one is open" },
  { name: "no-continue", help: "record the decision and stop" },
];

const start = async () => import("./start.ts");
const look = async () => import("./look.ts");
const decide = async () => import("./decide.ts");
const side = async () => import("./side.ts");

const begin = "Start work";
const see = "Look";
const choose = "Decide";
const beside = "Ask others";

export const runTable: readonly CommandSpec[] = [
  {
    name: "run",
    group: begin,
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
    group: begin,
    summary: "The same as run, in implement mode",
    args: [{ name: "goal", help: "a goal, in quotes" }],
    options: [...startFlags, ...loopFlags],
    load: async () => (await start()).goal,
  },
  {
    name: "plan",
    group: begin,
    summary: "Make a plan; nothing is edited",
    args: [{ name: "goal", help: "a goal, in quotes" }],
    options: [...startFlags, ...loopFlags],
    load: async () => (await start()).plan,
  },
  {
    name: "research",
    group: begin,
    summary: "Answer a question about the repository; nothing is edited",
    args: [{ name: "goal", help: "a question, in quotes" }],
    options: [...startFlags, ...loopFlags],
    load: async () => (await start()).research,
  },
  {
    name: "review",
    group: begin,
    summary: "Have the repository or a change reviewed; nothing is edited",
    args: [{ name: "goal", help: "what to review, in quotes" }],
    options: [...startFlags, ...loopFlags],
    load: async () => (await start()).review,
  },
  {
    name: "continue",
    group: begin,
    summary: "Take a run up again, also after a crash",
    args: [latestRun],
    options: [{ name: "wait", value: "s", help: "wait this long for another process that advances it" }],
    load: async () => (await start()).resume,
  },
  {
    name: "loop",
    group: begin,
    summary: "Advance a run until it ends, a gate needs you, or nothing moves",
    args: [latestRun],
    options: loopFlags,
    load: async () => (await start()).loop,
  },
  {
    name: "demo",
    group: begin,
    summary: "Watch a whole governed run on a sample repository, with the stub provider",
    options: [{ name: "dir", value: "dir", help: "where to make the sample (default: a temporary folder)" }],
    load: async () => (await import("./demo.ts")).demo,
  },

  {
    name: "status",
    group: see,
    summary: "Where runs stand; with a run, where it stands and what it waits for",
    args: [{ ...run, optional: true }],
    options: [{ name: "limit", value: "n", help: "how many runs to list (default 20)" }],
    load: async () => (await import("./status.ts")).status,
  },
  {
    name: "runs",
    group: see,
    summary: "List runs, newest first",
    options: [
      { name: "limit", value: "n", help: "how many (default 20)" },
      { name: "state", value: "state", help: "only runs in this state" },
    ],
    load: async () => (await import("./status.ts")).runs,
  },
  {
    name: "show",
    group: see,
    summary: "Everything about a run: lanes, board, trails, handoffs",
    args: [latestRun],
    load: async () => (await look()).show,
  },
  {
    name: "logs",
    group: see,
    summary: "The events of a run",
    args: [latestRun],
    options: [{ name: "from", value: "seq", help: "start at this event" }],
    load: async () => (await look()).logs,
  },
  {
    name: "watch",
    group: see,
    summary: "Follow a run live",
    args: [latestRun],
    options: [{ name: "from", value: "seq", help: "start at this event" }],
    load: async () => (await look()).watch,
  },
  {
    name: "diff",
    group: see,
    summary: "The change a run captured, byte for byte",
    args: [latestRun],
    load: async () => (await look()).diff,
  },
  {
    name: "artifact",
    group: see,
    summary: "Print an artifact",
    args: [run, { name: "ref", help: "an artifact ref, or a unique beginning of its hash" }],
    options: [
      { name: "max-bytes", value: "n", help: "at most this much (default: all)" },
      { name: "offset", value: "n", help: "start here" },
    ],
    load: async () => (await look()).artifact,
  },
  {
    name: "report",
    group: see,
    summary: "The final report of a run",
    args: [latestRun],
    load: async () => (await look()).report,
  },
  {
    name: "evidence",
    group: see,
    summary: "Capture git status and diff now, as evidence of a run",
    args: [latestRun],
    load: async () => (await side()).evidence,
  },

  {
    name: "approve",
    group: choose,
    summary: "Pass the gate a run stands at, and go on",
    args: [latestRun],
    options: [
      ...decideFlags,
      { name: "accept", help: "take the work as it is, as your own decision, where the gate offers it" },
      { name: "retry", help: "send a call again whose outcome is unknown" },
      { name: "add-tokens", value: "n", help: "extend the token budget" },
      { name: "add-minutes", value: "n", help: "extend the time budget" },
    ],
    load: async () => (await decide()).approve,
  },
  {
    name: "reject",
    group: choose,
    summary: "Refuse what the gate asks; the run ends",
    args: [latestRun],
    options: decideFlags,
    load: async () => (await decide()).reject,
  },
  {
    name: "revise",
    group: choose,
    summary: "Send the work back with your words",
    args: [latestRun],
    options: decideFlags,
    load: async () => (await decide()).revise,
  },
  {
    name: "abort",
    group: choose,
    summary: "End a run; its work is kept",
    args: [latestRun],
    options: [{ name: "reason", value: "text", help: "why" }],
    load: async () => (await decide()).abort,
  },

  {
    name: "summon",
    group: beside,
    summary: "Call one role on a run, reading only; nothing moves",
    args: [latestRun],
    options: sideFlags,
    load: async () => (await side()).summon,
  },
  {
    name: "fanout",
    group: beside,
    summary: "Call several roles on a run at once, reading only",
    args: [latestRun],
    options: [
      {
        name: "items",
        value: "json",
        help: "a JSON list of {role, brief, kind?, persona?, agent?}, or @file",
      },
    ],
    load: async () => (await side()).fanout,
  },
  {
    name: "reconcile",
    group: beside,
    summary: "Hold a completed run against its plan",
    args: [latestRun],
    options: [{ name: "role", value: "role", choices: ["planner", "orchestrator"], help: "who compares" }],
    load: async () => (await side()).reconcile,
  },
  {
    name: "exec",
    group: beside,
    summary: "Run a command in the sandbox, as evidence of a run",
    args: [run],
    options: [
      { name: "cwd", value: "dir", help: "below the repository" },
      { name: "allow-risky", help: "you allow a command that would be asked about" },
    ],
    passthrough: true,
    examples: ["thehood exec run_ab12 -- npm test"],
    load: async () => (await side()).exec,
  },
];
