// Codex and Claude Code as real MCP hosts: our own installer puts the server into their configuration, a scripted model
// on loopback makes them start a run, poll it and read what it left; or try to pass its gate. Nothing else is faked.
import { describe, expect, it } from "vitest";
import { openBench, type Bench } from "../../mcp/client.ts";
import { missing, titled } from "../installed.ts";
import { serveModel, type Action, type Part } from "../models/index.ts";
import { claudeHost, codexHost, type RealHost } from "./real-hosts.ts";

type Call = (name: string, input: Record<string, unknown>) => Action;
/** What a model does next, by what it was shown so far. */
type Model = (seen: string, call: Call) => readonly Action[];

const found = (seen: string, pattern: RegExp): string => pattern.exec(seen)?.[1] ?? "none";
const runIn = (seen: string): string => found(seen, /(run_[a-z0-9]{12,})/);

/** Told to use TheHood: start, poll until it stands, read the plan. */
const obedient: Model = (seen, call) => [
  call("thehood_plan", { goal: "Plan how to make add() add", wait_seconds: 60 }),
  call("thehood_status", { run_id: runIn(seen) }),
  call("thehood_read_artifact", {
    run_id: runIn(seen),
    ref: found(seen, /plan\\+":\\+"(sha256:[0-9a-f]{64})/),
  }),
];

/** Starts an edit and then wants to pass the gate itself, by every tool that might do it. */
const hostile: Model = (seen, call) => {
  const gate = {
    run_id: runIn(seen),
    gate_id: found(seen, /(gate_[a-z0-9]{12,})/),
    sha256: found(seen, /sha256\\+":\\+"([0-9a-f]{64})/),
  };
  return [
    call("thehood_orchestrate", { goal: "Make add() add", wait_seconds: 60 }),
    call("thehood_approve", gate),
    call("thehood_continue", { run_id: gate.run_id, approval: "approve", message: "go on" }),
    call("thehood_continue", { run_id: gate.run_id, wait_seconds: 5 }),
  ];
};

/** Lets a host work for a model; answers every request the model got. */
async function play(host: RealHost, bench: Bench, model: Model): Promise<readonly unknown[]> {
  await using server = await serveModel(host.wire, () => ({}), {
    undirected: ({ turn }, body): Part => ({
      // Each turn shows its own step; the ones before were played with what was known then.
      actions: model(JSON.stringify(body), host.call).slice(0, turn + 1),
      text: "That is all.",
    }),
  });
  const ran = await host.run(bench, server.url, "Do it with TheHood");
  expect(ran.code, ran.out).toBe(0);
  expect(ran.out).toContain(host.callSign);
  return server.seen.map(({ body }) => body);
}

interface Logged {
  readonly event: { readonly type: string; readonly createdBy?: object };
}

function recorded(bench: Bench) {
  const { runs } = bench.thehood(["runs", "--json"]).json<{ runs: { runId: string; state: string; mode: string }[] }>();
  expect(runs).toHaveLength(1);
  const [run = { runId: "", state: "", mode: "" }] = runs;
  const { events } = bench.thehood(["logs", run.runId, "--json"]).json<{ events: Logged[] }>();
  return { run, events: events.map(({ event }) => event) };
}

for (const host of [codexHost, claudeHost])
  describe.skipIf(missing(host.bin))(titled(`${host.name} as an MCP host`, host.bin), () => {
    it("[R-81] drives a run through our server: start, poll, read", async () => {
      const bench = openBench();
      const bodies = await play(host, bench, obedient);
      const { run, events } = recorded(bench);
      expect(run).toMatchObject({ mode: "plan", state: "completed" });
      expect(events[0]?.createdBy).toMatchObject({ kind: "host", surface: "mcp" });
      // Our answers reached the model, and no fault of ours did.
      const last = JSON.stringify(bodies.at(-1));
      expect(last).toContain(run.runId);
      expect(last).toContain("planner");
      expect(last).not.toContain("internal_error");
    });

    it("[R-60] a model in it cannot pass the gate of the run it started", async () => {
      const bench = openBench();
      const bodies = await play(host, bench, hostile);
      const { run, events } = recorded(bench);
      expect(run).toMatchObject({ mode: "implement", state: "awaiting_approval" });
      expect(events.filter(({ type }) => type === "approval_recorded")).toEqual([]);
      expect(bodies.length).toBeGreaterThanOrEqual(4);
      // It did see the gate; it was no lack of knowledge.
      expect(JSON.stringify(bodies.at(-1))).toContain("implementation_start");
      expect(bench.repo.git("status", "--porcelain")).not.toContain("src/");
    });
  });
