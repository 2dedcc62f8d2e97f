// Full governed runs through the real `thehood` program with the real Codex and Claude Code in the roles: a real edit, a
// revision round, integration. Everything happens in a network namespace where nothing but loopback can be reached.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { detectSandbox } from "../../src/platform/sandbox/index.ts";
import { type AgentDesk, alone, openAgentDesk } from "./governed.ts";
import { missing, titled } from "./installed.ts";
import type { Play } from "./models/index.ts";
import { processesOf } from "./processes.ts";

const { kind: confined } = await detectSandbox({ path: process.env["PATH"] ?? "" });
const where = alone ? "in an empty network namespace" : "without a network namespace: it cannot be had here";

/** The worker first gets it wrong; the verifier sends it back; then it gets it right. */
const twoRounds: Play = {
  roles: {
    implementer: [
      {
        actions: [
          {
            do: "replace",
            path: "src/add.js",
            from: "export const add = (a, b) => a - b;",
            to: "export const add = (a, b) => a * b;",
          },
        ],
        answer: { payload: { changedFiles: ["src/add.js"] } },
      },
      {
        actions: [
          {
            do: "replace",
            path: "src/add.js",
            from: "export const add = (a, b) => a * b;",
            to: "export const add = (a, b) => a + b;",
          },
          { do: "shell", line: "node --test" },
        ],
        answer: { payload: { changedFiles: ["src/add.js"], commandsRun: ["node --test"] } },
      },
    ],
  },
};

const crewWords = (worker: string, others: string): string[] => [
  "run",
  "make add() add",
  "--approvals",
  "autopilot",
  "--implementer",
  worker,
  ...["planner", "orchestrator", "qa", "verifier", "critic"].flatMap((role) => [`--${role}`, others]),
  "--json",
];

const crews = [
  {
    worker: "codex-cli:gpt-5.5",
    others: "claude-code:sonnet",
    workerWire: "responses",
    otherWire: "messages",
  },
  {
    worker: "claude-code:sonnet",
    others: "codex-cli:gpt-5.5",
    workerWire: "messages",
    otherWire: "responses",
  },
] as const;

describe.skipIf(missing("codex", "claude"))(titled("governed runs with real agents", "codex", "claude"), () => {
  it.each(crews)(
    `[R-5] [R-26] [R-30] $worker works and $others reviews: edit, revision, integration (${where})`,
    async ({ worker, others, workerWire, otherWire }) => {
      const desk = await openAgentDesk(twoRounds);
      const ran = await desk.thehood([...crewWords(worker, others), "--verbose"]);
      expect(ran.json(), ran.err).toMatchObject({ state: "completed", ok: true, counts: { passes: 2 } });
      expect(readFileSync(join(desk.repo.dir, "src/add.js"), "utf8")).toContain("a + b");
      expect(ran.err).toMatch(/implementer: edits .*src\/add\.js/);
      mustHaveAsked(desk, workerWire, otherWire);
      await mustBeOnRecord(desk, worker);
      expect((await desk.thehood(["log", "verify"])).code).toBe(0);
      expect(processesOf(desk.home)).toEqual([]);
    },
  );

  it("[R-14] tokens that the programs report are what a budget counts", async () => {
    const desk = await openAgentDesk(twoRounds);
    const [{ worker, others }] = crews;
    const ran = await desk.thehood([...crewWords(worker, others), "--max-tokens", "500"]);
    expect(ran.json(), ran.err).toMatchObject({
      state: "awaiting_approval",
      gate: { kind: expect.stringContaining("budget") },
    });
  });
});

interface AgentEvent {
  readonly type: string;
  readonly role?: string;
  readonly usage?: { readonly estimated: boolean; readonly costUsd?: number; readonly inputTokens: number };
  readonly artifacts?: readonly { readonly kind: string; readonly ref: string }[];
}

/** Each role was played by the program it was given to, and by no other. */
function mustHaveAsked(desk: AgentDesk, workerWire: string, otherWire: string): void {
  const asked = desk.requests().filter(({ role }) => role !== null);
  const wires = (isWorker: boolean) =>
    new Set(asked.filter(({ role }) => (role === "implementer") === isWorker).map(({ wire }) => wire));
  expect(wires(true)).toEqual(new Set([workerWire]));
  expect(wires(false)).toEqual(new Set([otherWire]));
  expect(new Set(asked.map(({ role }) => role))).toEqual(
    new Set(["planner", "orchestrator", "implementer", "qa", "verifier", "critic"]),
  );
}

/** How each program ran, what it used, and that what it printed holds no key. */
async function mustBeOnRecord(desk: AgentDesk, worker: string): Promise<void> {
  const { runs } = (await desk.thehood(["status", "--json"])).json<{ runs: { runId: string }[] }>();
  const runId = runs[0]?.runId ?? "";
  const { events } = (await desk.thehood(["logs", runId, "--json"])).json<{
    events: { event: AgentEvent }[];
  }>();
  const answers = events.map(({ event }) => event).filter(({ type }) => type === "agent_response");
  expect(answers.every(({ usage }) => usage?.estimated === false && usage.inputTokens > 0)).toBe(true);
  expect(answers.some(({ usage }) => (usage?.costUsd ?? 0) > 0)).toBe(true);
  const artifacts = answers.find(({ role }) => role === "implementer")?.artifacts ?? [];
  expect(artifacts.map(({ kind }) => kind)).toContain("provider_invocation");
  for (const { kind, ref } of artifacts) {
    const { out } = await desk.thehood(["artifact", runId, ref]);
    expect(out).not.toContain("scripted-key");
    if (kind !== "provider_invocation") continue;
    expect(JSON.parse(out)).toMatchObject({
      provider: worker.split(":")[0],
      workspaceMode: "worktree",
      sandbox: confined,
      exitCode: 0,
      responseParsed: true,
      changedCheckout: [],
    });
  }
}
