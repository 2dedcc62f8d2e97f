// Every command as a person types it, in the order of a day: none prints its internal object (B-32).
import { expect, it } from "vitest";
import { operations } from "../../src/operations/index.ts";
import { fixing, openTestDesk, stub } from "./program.ts";

/** `RUN` has ended, `OPEN` waits at its start, `QUEUED` is in the queue; `_` is a space within a word. */
const day = `
doctor
key
init
checks
checks test
checks add unit -- node --version
checks remove unit
teams
teams apply stub
roles
roles set critic stub:critic
models
config
config get policy.approvals
config set policy.approvals manual
config unset policy.approvals
policy
policy set manual
access
access revoke codex-cli
notify test
recommend-loop Mend_add
status
status RUN
runs
home
top
show
show RUN
show RUN --verbose
show RUN --timeline
show RUN --evidence
show RUN --agents
show OPEN
gate OPEN
timeline RUN
logs RUN
watch RUN
attach RUN
diff RUN
changes RUN
report RUN
artifact RUN REF
evidence RUN
agent-board RUN
stats
verify HEAD
approvals
transfer preview OPEN
attempts
tell OPEN Only_in_src
recheck RUN
revise OPEN --message Add_a_comment
approve OPEN
continue OPEN
loop OPEN
reconcile RUN
keep-tests RUN
pr RUN
pr watch RUN
take RUN
commit RUN
undo RUN
summon RUN --role critic --brief Look
fanout RUN --items ITEMS
exec RUN -- git status
reject OPEN
abort OPEN
run Subtract
rerun RUN
plan Look_at_it
research Read_it
review Review_it
goal Add_a_line
demo
queue
queue add Add_two
queue list
queue pause
queue top QUEUED
queue remove QUEUED
queue service
queue run
schedules
workers
check command git_status
check patch
check reply
check secrets
check path src/add.js
check repo
patch check -
patch apply -
browser status
browser stop
browser report none
web devices
gateway sessions
log verify
log accept
prune
runs archive
runs delete RUN
mcp config claude
`;

/** Not walked: they stay open, or need a service that is not here. Their results have a renderer of their own. */
const elsewhere =
  /^(?:web|worker|mcp|schedule|store copy|browser (?:login|check)|queue work|gateway(?: (?!sessions).*)?)$/;

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

const named = (line: string): string =>
  operations
    .map(({ name }) => name)
    .filter((name) => line === name || line.startsWith(`${name} `))
    .toSorted((one, other) => other.length - one.length)[0] ?? "";

it("[B-32] no command prints a raw object to a person", { timeout: 900_000 }, () => {
  const lines = day.trim().split("\n");
  const walked = new Set(lines.map(named));
  const left = operations.filter(({ cli, name }) => cli && !elsewhere.test(name) && !walked.has(name));
  expect(left.map(({ name }) => name)).toEqual([]);
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
    const found = verbatim.includes(named(line)) ? [] : raw.filter((one) => one.test(said));
    return found.map((one) => `${line}: ${one.exec(said)?.[0].trim()}`);
  });
  expect(wrong).toEqual([]);
  // A command line that is refused shows nothing: most of them must have been right.
  const right = [...codes].filter(([, code]) => code === 0 || code === 3);
  expect(right.length).toBeGreaterThan(lines.length * 0.7);
});
