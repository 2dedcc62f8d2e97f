// What goes wrong with real agents: answers that must be repaired, aborts, and the death of the runtime or of the agent.
// Afterwards nothing runs any more and the record says what is true.
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { type AgentDesk, finished, openAgentDesk, until } from "./governed.ts";
import { missing, titled } from "./installed.ts";
import type { Part, Play } from "./models/index.ts";
import { processesOf } from "./processes.ts";

const codex = "codex-cli:gpt-5.5";
const claude = "claude-code:sonnet";
const agents = [
  { worker: codex, others: claude },
  { worker: claude, others: codex },
] as const;

const fixes: Part = {
  actions: [
    {
      do: "replace",
      path: "src/add.js",
      from: "export const add = (a, b) => a - b;",
      to: "export const add = (a, b) => a + b;",
    },
  ],
  answer: { payload: { changedFiles: ["src/add.js"] } },
};
/** Runs something that outlives its shell, in a session of its own. */
const lingers: Part = { actions: [{ do: "shell", line: "setsid sleep 987 & sleep 987" }] };

const words = (worker: string, others: string): string[] => [
  "run",
  "make add() add",
  "--approvals",
  "autopilot",
  "--implementer",
  worker,
  ...["planner", "orchestrator", "qa", "verifier", "critic"].flatMap((role) => [`--${role}`, others]),
  "--json",
];

const source = ({ repo }: AgentDesk) => readFileSync(join(repo.dir, "src/add.js"), "utf8");

async function eventsOf(desk: AgentDesk) {
  const { runs } = (await desk.thehood(["status", "--json"])).json<{ runs: { runId: string }[] }>();
  const runId = runs[0]?.runId ?? "";
  const { events } = (await desk.thehood(["logs", runId, "--json"])).json<{
    events: { event: { type: string } & Record<string, unknown> }[];
  }>();
  return { runId, events: events.map(({ event }) => event) };
}

const noProcessLeft = (desk: AgentDesk) => until(() => processesOf(desk.home).length === 0, "the end of every process");

/** A run whose worker is in the middle of a command. */
async function midCall(play: Play, worker: string, others: string) {
  const desk = await openAgentDesk(play);
  const runtime = desk.start(words(worker, others));
  const ended = finished(runtime);
  await until(
    () => processesOf(desk.home).filter(({ command }) => command.endsWith("sleep 987")).length >= 2,
    "the worker's command",
  );
  return { desk, runtime, ended };
}

describe.skipIf(missing("codex", "claude"))(titled("trouble with real agents", "codex", "claude"), () => {
  it.each(agents)(
    "[R-21] answers of $worker and $others that break the contract are repaired",
    async ({ worker, others }) => {
      const desk = await openAgentDesk({
        roles: {
          planner: [{ text: "A plan? Let me think." }],
          implementer: [{ answer: { ack: "missing" } }, fixes],
          verifier: [{ answer: { ack: "stale" } }],
        },
      });
      const ran = await desk.thehood(words(worker, others));
      expect(ran.json(), ran.err).toMatchObject({ state: "completed", ok: true });
      const { events } = await eventsOf(desk);
      const refused = events.filter(({ outcome }) => (outcome as { result?: string })?.result === "refused");
      expect(refused.map(({ role }) => role)).toEqual(["planner", "implementer", "verifier"]);
    },
  );

  it.each(agents)(
    "[R-30] abort in the middle of a call of $worker ends its whole tree; its work is kept",
    async ({ worker, others }) => {
      const { desk, ended } = await midCall({ roles: { implementer: [lingers] } }, worker, others);
      const aborted = await desk.thehood(["abort", "--reason", "enough", "--json"]);
      expect(aborted.json(), aborted.err).toMatchObject({ state: "aborted" });
      await ended;
      await noProcessLeft(desk);
      expect(source(desk)).toContain("a - b");
      expect((await desk.thehood(["log", "verify"])).code).toBe(0);
    },
  );

  it.each(agents)(
    "[R-14] an interrupt in the middle of a call of $worker leaves a run that asks before it sends again",
    async ({ worker, others }) => {
      const { desk, runtime, ended } = await midCall({ roles: { implementer: [lingers, fixes] } }, worker, others);
      process.kill(pidOf(runtime), "SIGINT");
      await ended;
      await noProcessLeft(desk);
      await comesBack(desk);
    },
  );

  it.each(agents)(
    "[R-14] kill -9 of the runtime while $worker works: no orphan, in doubt, then done",
    async ({ worker, others }) => {
      const { desk, runtime, ended } = await midCall({ roles: { implementer: [lingers, fixes] } }, worker, others);
      process.kill(pidOf(runtime), "SIGKILL");
      await ended;
      await noProcessLeft(desk);
      await comesBack(desk);
    },
  );

  it.each(agents)("[R-17] kill -9 of $worker itself is reported as what it is", async ({ worker, others }) => {
    const { desk, ended } = await midCall({ roles: { implementer: [lingers] } }, worker, others);
    const name = worker === codex ? /codex-linux[^ ]*\/codex |codex\/bin\/codex/ : /\/claude /;
    const agent = processesOf(desk.home).filter(
      ({ command }) => name.test(command) && !command.includes("thehood-sandbox"),
    );
    expect(agent.length).toBeGreaterThan(0);
    for (const { pid } of agent) killIfThere(pid);
    const ran = await ended;
    expect(ran.json(), ran.err).toMatchObject({ state: "awaiting_approval" });
    await noProcessLeft(desk);
    const { events } = await eventsOf(desk);
    expect(events.findLast(({ type }) => type === "approval_required")).toMatchObject({
      gate: { kind: "provider_blocked", failureClass: "provider_error" },
    });
  });
});

/** After a call with an unknown end: the run asks, and on a yes it is done. */
async function comesBack(desk: AgentDesk): Promise<void> {
  const found = await desk.thehood(["continue", "--json"]);
  const { gate } = found.json<{ gate: { kind: string; sha256: string } | null }>();
  expect(gate, found.err).toMatchObject({ kind: "provider_in_doubt" });
  expect(source(desk)).toContain("a - b");
  const done = await desk.thehood(["approve", "--retry", "--shown", gate?.sha256 ?? "", "--json"]);
  expect(done.json(), done.err).toMatchObject({ state: "completed", ok: true });
  expect(source(desk)).toContain("a + b");
}

/** `nsenter` becomes the runtime, so its process id is the one that was started. */
function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error("the runtime was not started");
  return pid;
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
