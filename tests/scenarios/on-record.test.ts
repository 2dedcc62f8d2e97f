// One run with a round of repair, and what it leaves on record: each part that a clause names is there with its value.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AskedRole, ConfiguredCheck } from "../../src/core/contract/index.ts";
import { type Scenario, cleanUp, disguised, fix, person, quickCheck, sample, start } from "./harness.ts";

/** Prints what it saw, so that its log can be told from any other. */
const telling: ConfiguredCheck = {
  ...quickCheck,
  argv: ["sh", "-c", "echo judged: $(cat src/add.js); grep -q 'a + b' src/add.js"],
};
const added = (note: string) => `export const add = (a, b) => a + b; // ${note}\n`;
const write = (note: string) => ({ op: "write", path: "src/add.js", text: added(note) }) as const;
const delegation = {
  action: "delegate",
  reason: "go",
  delegateTo: "implementer",
  openQuestions: ["which browser?"],
  acceptanceCriteria: ["add(1, 2) is 3"],
};
const script = {
  roles: {
    orchestrator: [{ payload: delegation }],
    implementer: [{ edits: [write("first")] }, { edits: [write("second")] }],
    qa: [{ payload: { verdict: "pass", summary: "nothing is missing" } }],
    verifier: [
      { payload: { verdict: "revise", summary: "not yet", failedCriteria: ["the note says second"] } },
      { payload: { verdict: "approve", summary: "yes" } },
    ],
    critic: [{ payload: { verdict: "needs_revision", blockingConcerns: ["the note is stale"] } }],
  },
};

interface Directive {
  readonly role: AskedRole;
  readonly toolPermissions: Record<"read" | "edit" | "run" | "network", boolean>;
  readonly outputContract: { readonly name: string };
  readonly variables: {
    readonly run: Record<string, unknown>;
    readonly role: { readonly allowedTools: string[]; readonly disallowedTools: string[] };
    readonly context: Record<string, unknown>;
  };
  readonly directiveAck: { readonly marker: string };
  readonly canonicalMemory: { readonly provenance: Record<string, unknown> };
  readonly evidence: readonly { readonly name: string; readonly text: string }[];
}

function directivesOf(run: Scenario): { directive: Directive; phase: string; seq: number }[] {
  const records = run.events("agent_directive_created");
  const asked = run.log().filter(({ event }) => event.type === "agent_asked");
  return asked.flatMap(({ event, seq }) => {
    if (event.type !== "agent_asked") return [];
    const { callId, phase } = event.call;
    const made = records.find((record) => record.callId === callId);
    return [{ directive: run.json(made?.record.directive) as unknown as Directive, phase, seq }];
  });
}

describe("a run with a round of repair", () => {
  let run: Scenario;
  beforeAll(async () => {
    run = await start({ policy: { approvals: "autopilot", checks: [telling] }, script });
    await run.drive();
  }, 120_000);
  afterAll(cleanUp);
  const directive = (role: AskedRole, phase: string, from = 0) => {
    const found = directivesOf(run).filter((one) => one.directive.role === role && one.phase === phase)[from];
    if (!found) throw new Error(`no agent was asked as ${role} to ${phase}\n${run.story()}`);
    return found.directive;
  };
  const evidence = (one: Directive, name: string) => one.evidence.find((part) => part.name === name)?.text;

  it("[R-13] gives the worker of the repair the findings, the diff, the logs and the verdicts of what it did before", () => {
    expect(run.state, run.story()).toBe("completed");
    const repair = directive("implementer", "repair");
    expect(repair.variables.run).toMatchObject({
      userGoal: "make add add",
      currentState: "implementing",
      stopConditions: expect.arrayContaining(["max_iterations", "user_abort"]),
    });
    expect(repair.variables.context).toMatchObject({
      state: "implementing",
      plan: { decision: { contract: "planner_decision" } },
      findings: [{ kind: "open_question", message: "which browser?" }],
      previousPass: {
        changedFiles: ["src/add.js"],
        verdicts: {
          qa: "pass",
          verifier: "revise",
          critic: "needs_revision",
          blockingConcerns: ["the note is stale"],
        },
      },
      revision: { acceptanceCriteria: ["the note is stale", "the note says second"] },
      openQuestions: ["which browser?"],
      remainingBudget: { iterations: 6 },
    });
    expect(evidence(repair, "diff")).toContain("// first");
    expect(evidence(repair, "quick patched stdout")).toContain("judged: export const add = (a, b) => a + b;");
  });

  it("[R-13] gives the second verifier the work of now, and the verdicts of before", () => {
    const verify = directive("verifier", "verify", 1);
    expect(evidence(verify, "diff")).toContain("// second");
    expect(evidence(verify, "quick patched stdout")).toContain("// second");
    expect(evidence(verify, "quick base stdout")).toContain("a - b");
    expect(verify.variables.context).toMatchObject({
      state: "verifying",
      verdicts: { qa: "pass", verifier: null },
      previousPass: { verdicts: { verifier: "revise" } },
      openQuestions: ["which browser?"],
    });
  });

  it("[R-6] gives each role its own input, its tools and its contract", () => {
    const asked = directivesOf(run).map(({ directive: one, phase }) => {
      const { allowedTools, disallowedTools } = one.variables.role;
      const { read, edit, run: runs, network } = one.toolPermissions;
      expect([...allowedTools, ...disallowedTools].sort()).toEqual(["edit", "network", "read", "run"]);
      expect({ read, edit, run: runs, network }).toEqual({
        read: allowedTools.includes("read"),
        edit: allowedTools.includes("edit"),
        run: allowedTools.includes("run"),
        network: allowedTools.includes("network"),
      });
      return `${phase}: ${allowedTools.join(" ")} > ${one.outputContract.name}; ${one.evidence.map(({ name }) => name).join(", ")}`;
    });
    const logs = "quick base stdout, quick patched stdout";
    expect(asked.slice(0, 7)).toEqual([
      "plan: read network > planner_decision; quick base stdout",
      "delegate: read network > orchestrator_decision; plan, quick base stdout",
      "implement: read edit run > implementation_result; plan",
      `qa: read > qa_result; plan, diff, ${logs}, validation`,
      `verify: read run > verification_result; plan, diff, ${logs}, validation, qa response`,
      `critique: read > critique_result; plan, diff, ${logs}, validation, qa response, verifier response`,
      `repair: read edit run > implementation_result; plan, revision_packet, diff, ${logs}`,
    ]);
  });

  it("[R-20] [S-10] writes each directive with a marker of its own and a memory that says where it comes from", () => {
    const all = directivesOf(run);
    expect(new Set(all.map(({ directive: one }) => one.directiveAck.marker)).size).toBe(all.length);
    for (const { directive: one, seq } of all)
      expect(one.canonicalMemory.provenance).toEqual({
        source: `run ${run.runId}, events 1 to ${seq}`,
        repository: run.run.created.baseCommit,
        at: expect.any(Number),
        method: "fold of the event log",
      });
  });

  it("[R-42] records why the critic was called, with evidence that can be read and the answer it gave", () => {
    const [asked, answered] = run.events("critic_trigger_written").map(({ trigger }) => trigger);
    const known = run.json(answered?.artifact) as Record<string, string> & { evidenceRefs: string[] };
    expect(known).toMatchObject({ reasonCode: "verifier_failed", sourceRoles: ["verifier"] });
    const texts = known.evidenceRefs.map((ref) => run.text(ref));
    expect(texts.some((text) => text.includes("// first"))).toBe(true);
    expect(run.text(known["responseRef"])).toContain("the note says second");
    expect(run.text(known["criticResponseRef"])).toContain("the note is stale");
    expect(run.json(asked?.artifact)).not.toHaveProperty("criticResponseRef");
  });

  it("[R-75] reports commands, approvals, lanes, the trail of the repair and its artifacts, each with what it says", () => {
    const report = run.json(run.run.report?.report) as Record<string, Record<string, unknown>[]>;
    expect(report["commands"]?.map((one) => [one["command"], one["result"]])).toEqual(
      expect.arrayContaining([
        [expect.stringContaining("judged"), "failed"],
        [expect.stringContaining("judged"), "passed"],
      ]),
    );
    expect(report["approvals"]?.map((one) => `${String(one["gate"])}: ${String(one["by"])}`)).toEqual([
      expect.stringMatching(/^implementation_start: policy: /),
      expect.stringMatching(/^isolated_patch_application: policy: /),
    ]);
    expect(report["reviewLanes"]?.find((lane) => lane["id"] === "verifier")).toMatchObject({
      satisfied: true,
    });
    expect(JSON.stringify(report["revisionTrail"])).toContain("critic_needs_revision");
    const named = report["artifacts"]?.map((one) => one["ref"] as string) ?? [];
    for (const ref of named) expect(run.text(ref).length).toBeGreaterThanOrEqual(0);
    expect(named).toContain(run.events("critic_trigger_written").at(-1)?.trigger.artifact.ref);
  });
});

describe("how deep the review goes", () => {
  afterAll(cleanUp);
  const routed = async (edits: readonly object[], policy: object = {}) => {
    const run = await start({
      files: { ...sample, "src/add.js": added("right") },
      policy: { approvals: "autopilot", ...policy },
      script: { roles: { implementer: [{ edits: edits as never }] } },
    });
    await run.drive();
    const routing = run.events("review_routing_decided")[0]?.routing;
    return { run, routing, roles: run.events("agent_asked").map(({ call }) => call.role) };
  };

  it("[R-41] words alone, with checks that pass, go by QA with a reason on record, and never by the verifier", async () => {
    const { run, routing, roles } = await routed([{ op: "append", path: "README.md", text: "More words.\n" }]);
    expect(run.state, run.story()).toBe("completed");
    expect(routing).toMatchObject({ tier: "low", required: { qa: false, verifier: true, validation: true } });
    expect(run.json(routing?.artifact)["skippedRoles"]).toContainEqual({
      role: "qa",
      reason: expect.stringContaining("low risk"),
    });
    expect(roles).toContain("verifier");
    expect(roles).not.toContain("qa");
  });

  it("[R-40] work that no check judges is of high risk", async () => {
    const { routing } = await routed([write("other")], { checks: [] });
    expect(routing).toMatchObject({ tier: "high", reasons: ["no check judges this work"] });
  });
});

describe("beside the loop of a finished run", () => {
  afterAll(cleanUp);

  it("[R-6] the runtime looks up what a citation agent quotes, and does not take its word", async () => {
    const claim = (quote: string) => ({ claim: "it adds", verdict: "supported", quote });
    const citation = disguised("librarian", { modelBacked: false });
    const run = await start({
      policy: { approvals: "autopilot" },
      roles: { citation: "librarian:a" },
      providers: [citation],
      script: {
        roles: { implementer: [{ edits: [fix] }] },
        summons: { citation: [{ payload: { verdict: "supported", claims: [claim("a + b")] } }] },
      },
    });
    await run.drive();
    await run.submit({
      type: "summon",
      request: {
        role: "citation",
        kind: "research",
        brief: "Is it true?",
        persona: null,
        constraints: [],
        evidenceRefs: [],
        agent: null,
      },
      by: person,
    });
    await run.go();
    const answer = run.events("agent_response").find(({ role }) => role === "citation")?.outcome;
    expect(answer?.result, run.story()).toBe("accepted");
    if (answer?.result !== "accepted") return;
    const { data } = run.json(answer.response) as {
      data: { citationResult: { verdict: string; claims: { verdict: string; finding: string }[] } };
    };
    expect(data.citationResult.verdict).toBe("unclear");
    expect(data.citationResult.claims[0]?.finding).toContain("cites no artifact");
  });
});
