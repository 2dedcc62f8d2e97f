import { afterEach, describe, expect, it } from "vitest";
import { cleanUp, fix, nodeTest, sample, start } from "./harness.ts";

afterEach(cleanUp);

const autopilot = { approvals: "autopilot" } as const;
const boast = "All 412 tests pass, coverage is 100 %, verified in production. Fixed. Works.";

interface Claim {
  readonly statement: string;
  readonly standing: string;
  readonly evidence: readonly number[];
}

describe("a scripted liar in every role: the report claims only what is proven", () => {
  it("[R-75] a planner, a worker, QA and a verifier that boast add no claim of their own", async () => {
    const liar = { summary: boast };
    const run = await (
      await start({
        policy: { ...autopilot, checks: [nodeTest] },
        script: {
          roles: {
            planner: [{ ...liar, payload: { markdown: boast } }],
            orchestrator: [liar],
            implementer: [
              {
                ...liar,
                edits: [fix],
                payload: {
                  commandsRun: ["npm test: 412 passed"],
                  changedFiles: ["src/everything.js"],
                  markdown: boast,
                },
              },
            ],
            qa: [{ ...liar, payload: { verdict: "pass", summary: boast } }],
            verifier: [
              {
                ...liar,
                payload: {
                  verdict: "approve",
                  summary: boast,
                  evidence: [{ kind: "test_log", ref: "sha256:made-up", finding: boast }],
                },
              },
            ],
          },
        },
      })
    ).drive();
    expect(run.state, run.story()).toBe("completed");
    const [written] = run.events("final_report_written");
    const report = run.json(written?.report) as { claims: Claim[] };
    const facts = report.claims.filter(({ standing }) => standing !== "unproven");
    expect(JSON.stringify(facts)).not.toContain("412");
    const check = report.claims.find(({ statement }) => statement.includes("node --test"));
    expect(check).toMatchObject({ standing: "proven" });
    const log = await run.opened.engine.events(run.runId);
    const types = check?.evidence.map((seq) => log.find((one) => one.seq === seq)?.event.type);
    expect(types).toEqual(["check_executed", "check_executed"]);
    const found = run.events("finding_recorded").map(({ finding }) => finding.kind);
    expect(found).toEqual(expect.arrayContaining(["reported_but_unchanged", "unreported_change"]));
  });

  it("[R-75] what was not proved is printed as unproven, not as fact", async () => {
    const run = await (
      await start({
        policy: autopilot,
        script: {
          roles: {
            implementer: [{ summary: boast, edits: [{ op: "append", path: "README.md", text: "x\n" }] }],
            verifier: [{ payload: { verdict: "approve", summary: boast } }],
          },
        },
      })
    ).drive();
    expect(run.gate.kind, run.story()).toBe("validation_waiver");
    await run.answer("approve");
    await run.go();
    expect(run.state).toBe("completed");
    const [written] = run.events("final_report_written");
    expect(written?.unproven).toBeGreaterThan(0);
    const report = run.json(written?.report) as { claims: Claim[] };
    expect(
      report.claims
        .filter(({ standing }) => standing === "proven")
        .map(({ statement }) => statement)
        .join("\n"),
    ).not.toContain("passes now");
  });

  it("[R-74] an orchestrator that calls the goal complete without evidence meets a person", async () => {
    const run = await (
      await start({
        policy: autopilot,
        script: {
          roles: {
            orchestrator: [
              {
                payload: {
                  action: "complete",
                  reason: boast,
                  delegateTo: null,
                  evidenceRefs: ["sha256:made-up"],
                },
              },
            ],
          },
        },
      })
    ).drive();
    expect(run.gate.kind, run.story()).toBe("orchestrator_complete_without_evidence");
  });

  it("[R-4] a worker that says no_change and changed something is judged by what it changed", async () => {
    const run = await (
      await start({
        policy: autopilot,
        script: {
          roles: { implementer: [{ edits: [fix], payload: { status: "no_change", changedFiles: [] } }] },
        },
      })
    ).drive();
    expect(run.events("isolated_patch_captured")[0]?.patch?.changedPaths).toEqual(["src/add.js"]);
  });

  it("[R-42] a critic that finds everything acceptable changes nothing about a failing check", async () => {
    const files = { ...sample, "src/add.js": "export const add = (a, b) => a + b;\n" };
    const run = await (
      await start({
        files,
        policy: { ...autopilot, budgets: { maxRevisions: 0 } },
        script: {
          repeatLast: true,
          roles: {
            implementer: [{ edits: [{ op: "replace", path: "src/add.js", find: "a + b", with: "0" }] }],
            verifier: [{ payload: { verdict: "approve", summary: boast } }],
            qa: [{ payload: { verdict: "pass", summary: boast } }],
            critic: [{ payload: { verdict: "acceptable", summary: boast } }],
          },
        },
      })
    ).drive();
    expect(run.state, run.story()).not.toBe("completed");
    expect(run.events("run_completed")).toEqual([]);
  });

  it("[R-33] code that ends the test process early with success does not pass for tests that ran", async () => {
    const files = {
      ...sample,
      "src/add.js": "export const add = (a, b) => a + b;\n",
      "test/more.test.js":
        "import test from 'node:test';\nimport '../src/add.js';\nfor (const n of [1, 2, 3]) test(`t${n}`, () => {});\n",
    };
    const run = await (
      await start({
        files,
        policy: { ...autopilot, checks: [nodeTest], budgets: { maxRevisions: 0 } },
        script: {
          roles: {
            implementer: [
              {
                edits: [
                  {
                    op: "write",
                    path: "src/add.js",
                    text: "process.exit(0);\nexport const add = () => 0;\n",
                  },
                ],
              },
            ],
            verifier: [{ payload: { verdict: "approve", summary: boast } }],
          },
        },
      })
    ).drive();
    const counts = run.events("check_executed").map(({ check }) => check.testsRun);
    expect(counts[0]).toBe(4);
    expect(counts[1]).toBeLessThan(4);
    expect(run.gate, run.story()).toMatchObject({ kind: "validation_waiver", cause: "fewer_tests" });
  });
});
