import { describe, expect, it } from "vitest";
import { type Gate, roleTable } from "../../contract/index.ts";
import { Play, agent, autopilot, check, creation, early } from "../../../../tests/support/play.ts";
import {
  buildAgentBoard,
  buildProgressPacket,
  canonicalMemory,
  compactStatus,
  crewLanes,
  roleLanes,
  fullView,
  handoffs,
  monitor,
  nextActions,
  responsibilities,
  reviewLanes,
  revisionTrails,
  runBrief,
} from "./index.ts";
import { done, revise } from "../../../../tests/support/view-scene.ts";

const size = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe("review lanes", () => {
  it("[R-45] show owner, authority, required, what can satisfy and what does", () => {
    const lanes = Object.fromEntries(reviewLanes(done().run).map((lane) => [lane.id, lane]));
    expect(lanes["verifier"]).toMatchObject({
      required: true,
      canSatisfyGate: true,
      satisfied: true,
      authority: "read_only",
      owner: { assignment: "stub:verifier" },
    });
    expect(lanes["validation"]).toMatchObject({
      required: true,
      canSatisfyGate: true,
      satisfied: true,
      authority: "runtime",
    });
    expect(lanes["qa"]).toMatchObject({ canSatisfyGate: false, satisfied: false, state: "satisfied" });
    expect(lanes["critic"]).toMatchObject({ canSatisfyGate: false, satisfied: false, required: false });
  });

  it("[R-47] neither QA nor the critic satisfies anything, whatever they say", () => {
    const play = new Play(
      { policy: autopilot },
      { replies: { verifier: [{ payload: { verdict: "ask_user", summary: "?" } }] } },
    ).go();
    const satisfied = reviewLanes(play.run)
      .filter((lane) => lane.satisfied)
      .map(({ id }) => id);
    expect(satisfied).toEqual(["validation"]);
  });
});

describe("what a status shows of long texts", () => {
  const long = "word ".repeat(4_000).trim();
  const reply = { payload: { verdict: "approve", summary: "fine", markdown: long } };

  it("[R-22] a preview of at most 300 characters, its cut, and the reference of the whole", () => {
    const play = done({ replies: { verifier: [reply] } });
    const { said } = compactStatus(play.run);
    expect(said?.preview?.length).toBeLessThanOrEqual(300);
    expect(said?.preview?.length).toBeGreaterThan(200);
    expect(said).toMatchObject({ role: "verifier", truncated: true });
    const outcome = play.run.calls.at(-1)?.result?.outcome;
    expect(outcome).toMatchObject({ result: "accepted", response: { ref: said?.ref } });
  });

  it("[R-22] the record of an answer holds 600 characters and the number of all", () => {
    const play = done({ replies: { verifier: [reply] } });
    const outcome = play.run.calls.at(-1)?.result?.outcome;
    expect(outcome).toMatchObject({ markdown: { truncated: true, chars: long.length } });
    expect(JSON.stringify(play.log).split(long.slice(0, 700)).length).toBe(1);
  });

  it("[R-22] a text that the record holds whole and the status cuts says that it is cut", () => {
    const middle = { payload: { verdict: "approve", summary: "fine", markdown: "word ".repeat(90).trim() } };
    const { said } = compactStatus(done({ replies: { verifier: [middle] } }).run);
    expect(said?.preview?.length).toBeLessThanOrEqual(300);
    expect(said).toMatchObject({ truncated: true });
  });

  it("[R-22] a short text is shown whole, and nothing is said to be cut", () => {
    const short = { payload: { verdict: "approve", summary: "fine", markdown: "All good." } };
    const { said } = compactStatus(done({ replies: { verifier: [short] } }).run);
    expect(said).toMatchObject({ preview: "All good.", truncated: false });
  });

  it("[R-22] the text of a gate is cut to 500 characters; its hash is that of the whole", () => {
    const play = new Play({ goal: "a goal of many words ".repeat(200) }).go();
    const { gate } = compactStatus(play.run);
    expect(gate?.preview.length).toBeLessThanOrEqual(500);
    expect(gate?.sha256).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("crew, responsibilities and board", () => {
  it("[R-45] name every role with the one table of labels", () => {
    const play = done();
    for (const { role, label } of roleLanes(play.run)) expect(label).toBe(roleTable[role].label);
    expect(roleLanes(play.run)).toHaveLength(9);
    expect(crewLanes(play.run).find(({ role }) => role === "implementer")).toMatchObject({
      authority: "edit",
      state: "done",
      calls: 1,
      tokens: 10,
    });
    expect(roleLanes(play.run).find(({ role }) => role === "planner")).toMatchObject({ state: "unassigned" });
  });

  it("[R-45] say who owes what: at a gate the operator blocks, at the end completion is satisfied", () => {
    const open = Object.fromEntries(responsibilities(new Play().go().run).map((one) => [one.id, one]));
    expect(open["operator_approval"]).toMatchObject({ status: "blocked", authority: "operator" });
    expect(open["implement"]).toMatchObject({ status: "pending", required: true });
    const ended = Object.fromEntries(responsibilities(done().run).map((one) => [one.id, one.status]));
    expect(ended).toMatchObject({
      plan: "satisfied",
      implement: "satisfied",
      integrate: "satisfied",
      test: "satisfied",
      verify: "satisfied",
      complete: "satisfied",
      reconcile: "ready",
      qa: "advisory",
    });
  });

  it("[R-45] the board is bounded and says that it grants nothing", () => {
    const board = buildAgentBoard(done(revise).run);
    expect(size(board)).toBeLessThan(6_000);
    expect(board.note).toContain("grants nothing");
    expect(board.cards).toHaveLength(9);
  });
});

describe("trails and handoffs", () => {
  it("[R-44] link packet, repair, validation, reviews and completion by id, also with a summon in between", () => {
    const play = new Play({ policy: autopilot }, revise);
    play
      .give({
        type: "summon",
        by: { kind: "person", surface: "cli" },
        request: {
          role: "qa",
          kind: "qa",
          brief: "look",
          persona: null,
          constraints: [],
          evidenceRefs: [],
          agent: null,
        },
      })
      .go();
    const [trail] = revisionTrails(play.run);
    const repair = play.run.passes[2];
    expect(trail).toMatchObject({
      status: "reviewed",
      reasonCode: "verifier_revise",
      sourceRole: "verifier",
      packet: play.run.passes[1]?.outcome?.artifact.ref,
      validation: repair?.validation?.artifact.ref,
    });
    expect(trail?.reviews).toHaveLength(2);
    expect(trail?.completion).not.toBeNull();
    const answers = buildProgressPacket(play.run).responses.items as readonly {
      role: string;
      callId: string;
    }[];
    for (const answer of answers) {
      const call = play.run.calls.find(({ record }) => record.callId === answer.callId);
      expect(call?.record.role).toBe(answer.role);
    }
  });

  it("[R-44] follow a repair while it is under way", () => {
    const play = new Play({ policy: early }, revise).through("implementation_start");
    play.answer("approve").go();
    expect(revisionTrails(play.run)[0]?.status).toBe("repair_reported");
  });

  it("[R-46] are typed at every boundary, gate and completion, with the labels of the table", () => {
    const list = handoffs(done().run);
    expect(list.map(({ kind, from, to }) => `${kind}: ${from} > ${to}`)).toEqual([
      "agent_handoff: Operator > Agent 1 / Orchestrator",
      "approval_auto_approved: Runtime > Runtime",
      "agent_handoff: Agent 1 / Orchestrator > Agent 2 / Implementer",
      "agent_handoff: Agent 2 / Implementer > Agent 2A / QA Tester",
      "agent_handoff: Agent 2A / QA Tester > Agent 3 / Verifier",
      "approval_auto_approved: Runtime > Runtime",
      "agent_handoff: Agent 2 / Implementer > Runtime / Integrator",
      "completion: Agent 3 / Verifier > Operator",
    ]);
  });
});

describe("what to do next", () => {
  it("[R-45] at a gate: look, answer with the phrase, or refuse", () => {
    const actions = nextActions(new Play().through("implementation_start").run);
    expect(actions.map(({ kind }) => kind)).toEqual([
      "review_approval_reason",
      "continue_with_approval",
      "reject_or_revise",
    ]);
    expect(actions[1]).toMatchObject({
      blocking: true,
      command: { suggest: "answer", answer: "approve", phrase: "apply isolated patch" },
    });
  });

  it("[R-45] a gate that cannot be refused offers the end of the run", () => {
    const { run } = new Play().through("implementation_start");
    if (run.phase.state !== "awaiting_approval") throw new Error("no gate");
    const gate: Gate = { ...run.phase.gate, answers: ["retry", "abort"] };
    const only = { ...run, phase: { ...run.phase, gate } };
    const { runId } = run;
    expect(nextActions(only).map(({ command }) => command)).toEqual([
      { suggest: "status", runId },
      {
        suggest: "answer",
        answer: "retry",
        runId,
        gateId: gate.id,
        phrase: gate.phrase,
        shown: gate.subject.sha256,
      },
      { suggest: "abort", runId },
    ]);
  });

  it("[R-45] at the end: the report, the packet, reconciliation; on failure, why", () => {
    expect(nextActions(done().run).map(({ kind }) => kind)).toEqual([
      "terminal_complete",
      "inspect_final_report",
      "commit_work",
      "undo",
      "inspect_progress_packet",
      "reconcile",
    ]);
    const failed = done({ replies: { orchestrator: [{ status: "failed", payload: {} }] } });
    expect(nextActions(failed.run)[0]).toMatchObject({
      kind: "terminal_failed",
      reason: expect.stringContaining("provider_failed"),
    });
  });

  it("[R-45] the monitor says in one word what is going on", () => {
    expect(monitor(new Play().go().run).phase).toBe("approval_gate");
    expect(monitor(done().run).phase).toBe("completed");
    expect(monitor(new Play().run).phase).toBe("running");
    const roles = {
      ...creation().roles,
      orchestrator: agent("openai-api:big", { boundary: "external", modelBacked: false }),
    };
    expect(monitor(new Play({ mode: "plan", roles }).go().run).phase).toBe("transfer_gate");
  });
});

describe("sizes", () => {
  const words = ['word "quoted" '.repeat(800), "漢字かな ".repeat(2_000), "a\\b\t".repeat(3_000)];
  const fat = (long: string) => {
    const checks = Array.from({ length: 12 }, (_, index) => check(`npm:check${index}`));
    const nits = Array.from({ length: 4 }, (_, index) => ({
      summary: long,
      payload: { verdict: "revise", summary: long, failedCriteria: [`${index} ${long}`], markdown: long },
    }));
    return new Play(
      {
        goal: long,
        acceptanceCriteria: [long, long],
        policy: { ...autopilot, budgets: { ...autopilot.budgets, maxIterations: 99 } },
      },
      {
        checks,
        replies: {
          verifier: [...nits, { payload: { verdict: "ask_user", summary: long } }],
          implementer: [{ summary: long, payload: { status: "changed", commandsRun: [long] } }],
        },
      },
    ).go();
  };

  it.each(words)("[R-77] a compact status stays under 4 kB, at gates and at the end, however much was said", (long) => {
    const play = fat(long);
    expect(play.gate).toBe("verifier_verdict");
    expect(size(compactStatus(play.run))).toBeLessThan(4_000);
    expect(compactStatus(play.run).gate?.sha256).toHaveLength(64);
    play.answer("accept", long.slice(0, 3_000)).go();
    expect(play.state).toBe("completed");
    expect(size(compactStatus(play.run))).toBeLessThan(4_000);
    expect(size(fullView(play.run))).toBeGreaterThan(4_000);
    expect(size(runBrief(play.run))).toBeLessThan(2_000);
  });

  it.each(words)("[R-75] the progress packet is bounded and says what it left out", (long) => {
    const packet = buildProgressPacket(fat(long).run);
    expect(size(packet)).toBeLessThan(200_000);
    expect(packet.commands).toMatchObject({ included: 40, omitted: 32 });
  });

  it.each(words)("[S-10] canonical memory is bounded, refs only, and says where it comes from", (long) => {
    const others = Array.from({ length: 9 }, (_, index) => ({
      runId: `run_other${index}00`,
      goal: long,
      state: "completed",
      updatedAt: index,
      report: null,
    }));
    const memory = canonicalMemory(fat(long).run, others);
    expect(size(memory)).toBeLessThan(16_000);
    expect(memory).toMatchObject({
      artifactBodyPolicy: "refs_only",
      ignoreProviderSessionContext: true,
      provenance: { method: expect.any(String) },
    });
    expect(memory.recentRuns).toHaveLength(5);
    expect(JSON.stringify(memory)).not.toContain(long);
  });
});
