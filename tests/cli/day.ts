// Every command as a person types it, in the order of a day.
import { operations } from "../../src/operations/index.ts";

/** `RUN` has ended, `OPEN` waits at its start, `QUEUED` is in the queue; `_` is a space within a word. */
export const day = `
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
export const elsewhere =
  /^(?:web|worker|mcp|schedule|store copy|browser (?:login|check)|queue work|gateway(?: (?!sessions).*)?)$/;

export const commandOf = (line: string): string =>
  operations
    .map(({ name }) => name)
    .filter((name) => line === name || line.startsWith(`${name} `))
    .toSorted((one, other) => other.length - one.length)[0] ?? "";
