// Memory of earlier runs on a real store: what a later run is given of them, and with what provenance.
import { describe, expect, it } from "vitest";
import { openGates } from "../../core/machine/index.ts";
import { bench, created, text, type Bench } from "../../../tests/support/bench.ts";
import { agent, autopilot, creation } from "../../../tests/support/parts.ts";

interface Directive {
  readonly evidence: { name: string; text: string }[];
  readonly canonicalMemory: {
    recentRuns: { runId: string; refs?: Record<string, { ref: string }>; provenance?: object }[];
  };
}

async function firstDirective({ runs, store }: Bench, runId: string, role = "orchestrator") {
  const { calls } = await runs.read(runId);
  const call = calls.find(({ record }) => record.role === role);
  const ref = call?.directive?.directive.ref ?? "";
  return { call, directive: JSON.parse(text.decode(await store.artifacts.read(ref))) as Directive };
}

async function after(more: object = {}): Promise<{ desk: Bench; first: string; second: string }> {
  const desk = bench();
  const { runId: first } = await created(desk.runs, { goal: "the earlier goal" });
  await desk.runs.advance(first);
  const { runId: second } = await created(desk.runs, more);
  await desk.runs.advance(second);
  return { desk, first, second };
}

describe("[S-10] a run remembers earlier ones", () => {
  it("by references to their reports and packets, with the events and the commit that they come from", async () => {
    const { desk, first, second } = await after();
    const earlier = await desk.runs.read(first);
    const { directive } = await firstDirective(desk, second);
    const [remembered] = directive.canonicalMemory.recentRuns;
    expect(remembered).toMatchObject({
      runId: first,
      refs: { report: { ref: earlier.report?.markdown.ref }, progress: { ref: earlier.packet?.ref } },
      provenance: {
        source: `run ${first}, events 1 to ${earlier.seq}`,
        repository: earlier.created.baseCommit,
        at: earlier.updatedAt,
        method: "fold of the event log",
      },
    });
    expect(JSON.stringify(directive.evidence)).not.toContain("memory_packet");
  });

  it("and gives a reviewer no reference into them: it judges the work alone", async () => {
    const { desk, second } = await after();
    const { directive } = await firstDirective(desk, second, "verifier");
    expect(directive.canonicalMemory.recentRuns[0]).not.toHaveProperty("refs");
  });

  it("by a bounded memory_packet with provenance, where the user's policy asks for it", async () => {
    const { desk, first, second } = await after({ policy: { ...autopilot, memory: "packets" } });
    const { call, directive } = await firstDirective(desk, second);
    const kept = call?.directive?.memory;
    expect(kept?.kind).toBe("memory_packet");
    expect(kept?.bytes).toBeLessThan(100_000);
    const packet = JSON.parse(text.decode(await desk.store.artifacts.read(kept?.ref ?? ""))) as {
      memories: { runId: string; kind: string; provenance: { source: string }; text: string }[];
    };
    expect(packet.memories).toMatchObject([
      { runId: first, kind: "progress", provenance: { source: expect.stringContaining(first) } },
    ]);
    expect(packet.memories[0]?.text).toContain("the earlier goal");
    expect(directive.evidence.map(({ name }) => name)).toContain("memory_packet");
  });

  it("[R-65] and asks before such a packet leaves the machine, also on autopilot's agreement", async () => {
    const roles = {
      ...creation().roles,
      orchestrator: agent("openai-api:big", { boundary: "external", modelBacked: false }),
    };
    const policy = { ...creation().policy, memory: "packets" as const };
    const { desk, second } = await after({ roles, policy, mode: "plan" });
    const run = await desk.runs.read(second);
    const [gate] = openGates(run);
    expect(gate).toMatchObject({
      kind: "run_evidence_external_transfer",
      phrase: "send memory packet to openai-api",
    });
    expect(run.calls[0]?.manifest?.purpose).toBe("memory_packet");
    expect(run.calls[0]?.posted).toBeNull();
  });
});
