// Commands that start, move, look at and decide about runs.
import type { CommandSpec, OptionSpec } from "../spec.ts";

const run = { name: "run", help: "a run id, or a unique beginning of one" };
const latestRun = {
  name: "run",
  optional: true,
  help: "a run id, or a unique beginning of one (default: the newest run)",
};

/** As the record names them; written out, because help needs nothing else of the contract. */
export const states = [
  "created",
  "planning",
  "delegating",
  "implementing",
  "integrating",
  "verifying",
  "critiquing",
  "awaiting_approval",
  "completed",
  "failed",
  "aborted",
] as const;

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

const sideFlags: readonly OptionSpec[] = [
  {
    name: "role",
    value: "role",
    choices: ["critic", "qa", "verifier", "researcher", "planner", "orchestrator", "citation"],
    help: "which role to call, always needed",
  },
  { name: "brief", value: "text", help: "what it is asked, always needed" },
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
    examples: ['thehood goal "make the login test stable" --team codex-default'],
    load: async () => (await start()).goal,
  },
  {
    name: "plan",
    group: begin,
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
    group: begin,
    summary: "Answer a question about the repository; nothing is edited",
    args: [{ name: "goal", help: "a question, in quotes" }],
    options: [...startFlags, ...loopFlags],
    examples: ['thehood research "where is the session cookie set?"'],
    load: async () => (await start()).research,
  },
  {
    name: "review",
    group: begin,
    summary: "Have the repository or a change reviewed; nothing is edited",
    args: [{ name: "goal", help: "what to review, in quotes" }],
    options: [...startFlags, ...loopFlags],
    examples: ['thehood review "the last commit: is the cache safe with two writers?"'],
    load: async () => (await start()).review,
  },
  {
    name: "continue",
    group: begin,
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
    group: begin,
    summary: "Advance a run until it ends, a gate needs you, or nothing moves",
    args: [latestRun],
    options: loopFlags,
    more: "It approves nothing: exit code 3 says that a gate needs you.",
    examples: ["thehood loop run_0mwh --max-cycles 3"],
    load: async () => (await start()).loop,
  },
  {
    name: "demo",
    group: begin,
    summary: "Watch a whole governed run on a sample repository, with the stub provider",
    options: [{ name: "dir", value: "dir", help: "where to make the sample (default: a temporary folder)" }],
    examples: ["thehood demo", "thehood demo --dir /tmp/sample"],
    load: async () => (await import("./demo.ts")).demo,
  },

  {
    name: "status",
    group: see,
    summary: "Where runs stand; with a run, where it stands and what it waits for",
    args: [{ ...run, optional: true }],
    options: [{ name: "limit", value: "n", help: "how many runs to list (default 20)" }],
    examples: ["thehood status", "thehood status run_0mwh --verbose   # everything that a gate shows"],
    load: async () => (await import("./status.ts")).status,
  },
  {
    name: "runs",
    group: see,
    summary: "List runs, newest first",
    options: [
      { name: "limit", value: "n", help: "how many (default 20)" },
      { name: "state", value: "state", choices: states, help: "only runs in this state" },
    ],
    examples: ["thehood runs --state awaiting_approval", "thehood runs --limit 100 --json"],
    load: async () => (await import("./status.ts")).runs,
  },
  {
    name: "show",
    group: see,
    summary: "Everything about a run: lanes, board, trails, handoffs",
    args: [latestRun],
    examples: ["thehood show run_0mwh", "thehood show run_0mwh --json"],
    load: async () => (await look()).show,
  },
  {
    name: "logs",
    group: see,
    summary: "The events of a run",
    args: [latestRun],
    options: [{ name: "from", value: "seq", help: "start at this event" }],
    examples: ["thehood logs run_0mwh --from 40"],
    load: async () => (await look()).logs,
  },
  {
    name: "watch",
    group: see,
    summary: "Follow a run live",
    args: [latestRun],
    options: [{ name: "from", value: "seq", help: "start at this event" }],
    more: "Ends when the run ends; Ctrl-C stops looking and leaves the run alone. With --json each event is one line.",
    examples: ["thehood watch", "thehood watch run_0mwh --json | jq .event.type"],
    load: async () => (await import("./watch.ts")).watch,
  },
  {
    name: "diff",
    group: see,
    summary: "The change a run captured, byte for byte",
    args: [latestRun],
    more: "In a pipe and a file every byte is as captured; on a terminal control characters are left out.",
    examples: ["thehood diff run_0mwh > change.patch", "thehood diff | git apply --check"],
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
    more: "thehood show lists the artifacts of a run.",
    examples: [
      "thehood artifact run_0mwh 3f2a9c01d4e7",
      "thehood artifact run_0mwh 3f2a9c01d4e7 --max-bytes 2000",
    ],
    load: async () => (await look()).artifact,
  },
  {
    name: "report",
    group: see,
    summary: "The final report of a run",
    args: [latestRun],
    examples: ["thehood report", "thehood report run_0mwh > report.md"],
    load: async () => (await look()).report,
  },
  {
    name: "evidence",
    group: see,
    summary: "Capture git status and diff now, as evidence of a run",
    args: [latestRun],
    examples: ["thehood evidence run_0mwh"],
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
    more: "What you approve is exactly what thehood status shows now; if it has changed meanwhile, the answer is refused.",
    examples: [
      "thehood approve",
      'thehood approve run_0mwh --message "apply isolated patch"',
      "thehood approve run_0mwh --add-tokens 200000",
    ],
    load: async () => (await decide()).approve,
  },
  {
    name: "reject",
    group: choose,
    summary: "Refuse what the gate asks; the run ends",
    args: [latestRun],
    options: decideFlags,
    examples: ['thehood reject run_0mwh --message "wrong direction"'],
    load: async () => (await decide()).reject,
  },
  {
    name: "revise",
    group: choose,
    summary: "Send the work back with your words",
    args: [latestRun],
    options: decideFlags,
    examples: ['thehood revise run_0mwh --message "keep the old name exported"'],
    load: async () => (await decide()).revise,
  },
  {
    name: "abort",
    group: choose,
    summary: "End a run; its work is kept",
    args: [latestRun],
    options: [{ name: "reason", value: "text", help: "why" }],
    examples: ['thehood abort run_0mwh --reason "not needed any more"'],
    load: async () => (await decide()).abort,
  },

  {
    name: "summon",
    group: beside,
    summary: "Call one role on a run, reading only; nothing moves",
    args: [latestRun],
    options: sideFlags,
    examples: [
      'thehood summon run_0mwh --role critic --brief "is the lock released on every path?"',
      'thehood summon --role researcher --kind research --brief "who calls this?" --agent claude-code:haiku',
    ],
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
    examples: [
      `thehood fanout run_0mwh --items '[{"role":"critic","brief":"races?"},{"role":"qa","brief":"what is untested?"}]'`,
      "thehood fanout run_0mwh --items @questions.json",
    ],
    load: async () => (await side()).fanout,
  },
  {
    name: "reconcile",
    group: beside,
    summary: "Hold a completed run against its plan",
    args: [latestRun],
    options: [{ name: "role", value: "role", choices: ["planner", "orchestrator"], help: "who compares" }],
    examples: ["thehood reconcile run_0mwh"],
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
    more: "Exit code 0 when the command ended with 0, else 1; its own code is told, and is `exitCode` with --json.",
    examples: ["thehood exec run_0mwh -- npm test", "thehood exec run_0mwh --cwd packages/core -- npm test"],
    load: async () => (await side()).exec,
  },
];
