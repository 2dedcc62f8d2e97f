// Records and views of a run, field by field: what each names, and what it does not claim.
import { describe, expect, it } from "vitest";
import { Play, autopilot, check, creation, early, ref } from "../../../../tests/support/play.ts";
import { drive } from "../../../../tests/support/drive-review.ts";
import { acceptedOf, openGates } from "../facts/index.ts";
import { draftDirective } from "../directive/draft.ts";
import { fold } from "../evolve/fold.ts";
import {
  buildAgentBoard,
  buildFinalReport,
  buildProgressPacket,
  crewLanes,
  handoffs,
  responsibilities,
  reviewLanes,
  revisionTrails,
  roleLanes,
} from "./index.ts";

const verdict = (name: string, ...failedCriteria: string[]) => ({
  payload: { verdict: name, summary: name, failedCriteria },
});
const twice = () =>
  drive({ replies: { verifier: [verdict("revise", "x"), verdict("revise", "y"), verdict("approve")] } });
const responseTo = ({ run }: Play, callId: string | null | undefined) => acceptedOf(run, callId ?? null)?.response.ref;

describe("the lane of the verifier", () => {
  it("[R-47] is satisfied by a person who takes the work, and says so", () => {
    const again = { payload: { verdict: "needs_revision", summary: "empty input", missedCases: ["empty input"] } };
    const play = drive({ replies: { qa: [again, again, again] } });
    expect(openGates(play.run)[0]?.answers).toContain("accept");
    play.answer("accept", "good enough for me").go();
    const lane = reviewLanes(play.run).find(({ id }) => id === "verifier");
    expect(lane).toMatchObject({ state: "satisfied", satisfied: true, why: "The user took the work as it is" });
  });
});

describe("the trail of a revision", () => {
  it("[R-44] names packet, repair, validation and every review of the repair, the critic's too", () => {
    const play = twice();
    const [first] = revisionTrails(play.run);
    const [, asked, repair] = play.run.passes;
    expect(first).toMatchObject({
      packet: asked?.outcome?.artifact.ref,
      repair: repair?.captured?.patch?.patch.ref,
      validation: repair?.validation?.artifact.ref,
      reviews: [repair?.qa, repair?.verifier, repair?.critic].map((callId) => responseTo(play, callId)),
    });
    expect(first?.reviews).toHaveLength(3);
  });

  it("[R-44] ends where the next packet begins: only the last one leads to the completion", () => {
    const play = twice();
    const [first, last] = revisionTrails(play.run);
    const packets = play.run.passes.flatMap(({ outcome }) => (outcome ? [outcome.seq] : []));
    expect(first).toMatchObject({ status: "superseded", completion: null });
    expect(last).toMatchObject({ status: "reviewed", completion: play.run.seq });
    for (const seq of first?.handoffs ?? []) {
      expect(seq).toBeGreaterThan(packets[0] ?? Infinity);
      expect(seq).toBeLessThanOrEqual(packets[1] ?? 0);
    }
    expect(last?.handoffs[0]).toBeGreaterThan(packets[1] ?? Infinity);
    expect(last?.handoffs.at(-1)).toBe(play.run.seq);
  });
});

describe("the status of a revision", () => {
  it("[R-44] follows its repair from the packet to the review", () => {
    const play = drive({ replies: { verifier: [verdict("revise", "x"), verdict("approve")] } });
    const statuses = play.log.flatMap((_, index) => {
      const run = fold(play.log.slice(0, index + 1));
      return run ? revisionTrails(run).map(({ status }) => status) : [];
    });
    const steps = statuses.filter((status, index) => status !== statuses[index - 1]);
    expect(steps).toEqual([
      "packet_written",
      "delegated",
      "repairing",
      "repair_reported",
      "awaiting_review",
      "reviewed",
    ]);
  });
});

describe("handoffs", () => {
  it("[R-46] name what is handed over: response, report of the integration, what the gate shows, the final report", () => {
    const play = drive({});
    const at = (wanted: string) => handoffs(play.run).find(({ kind, to }) => `${kind} ${to}`.includes(wanted));
    const pass = play.run.passes[1];
    expect(at("Implementer")?.artifacts).toContain(responseTo(play, pass?.callId));
    expect(at("Integrator")?.artifacts).toEqual([pass?.integration?.report.ref]);
    expect(at("completion")?.artifacts).toEqual([play.run.report?.report.ref]);
    const waiting = new Play({ policy: early }).go();
    const [gate] = openGates(waiting.run);
    const open = handoffs(waiting.run).find(({ gateId }) => gateId === gate?.id);
    expect(open?.artifacts).toEqual(gate?.subject.refs.map((shown) => shown.ref));
    expect(open?.artifacts.length).toBeGreaterThan(0);
  });
});

describe("lanes and the board", () => {
  it("[R-45] a role without an agent has no owner, and one that failed needs attention", () => {
    const play = drive({ replies: { verifier: [{ status: "failed", payload: {} }] } });
    const cards = Object.fromEntries(buildAgentBoard(play.run).cards.map((card) => [card.role, card]));
    expect(roleLanes(play.run).find(({ role }) => role === "researcher")?.owner).toMatchObject({
      kind: "nobody",
      assignment: null,
    });
    expect(cards["researcher"]).toMatchObject({ readiness: "unassigned", assignment: null, source: "unassigned" });
    expect(cards["verifier"]).toMatchObject({ readiness: "needs_attention", status: "failed" });
    expect(cards["implementer"]).toMatchObject({ readiness: "ready", assignment: "stub:implementer" });
  });

  it("[R-45] a card says what its role may do, and only the builder may edit", () => {
    const { cards } = buildAgentBoard(drive({}).run);
    const editors = cards.filter(({ permissions }) => permissions.edit).map(({ role }) => role);
    expect(editors).toEqual(
      cards
        .filter(({ authority }) => authority === "edit")
        .map(({ role }) => role)
        .concat("integrator"),
    );
    expect(cards.find(({ role }) => role === "verifier")?.permissions).toMatchObject({ read: true, edit: false });
  });

  it("[R-45] the table of the board tells required lanes from advisory ones, and who satisfies a gate", () => {
    const { columns, rows } = buildAgentBoard(drive({}).run).table;
    const column = (name: string) => Object.fromEntries(rows.map((row) => [row[0], row[columns.indexOf(name)]]));
    expect(column("required")).toMatchObject({ builder: "required", verifier: "required", critic: "advisory" });
    expect(column("can satisfy a gate")).toMatchObject({ builder: "no", verifier: "yes", critic: "no" });
    expect(column("owner")).toMatchObject({ builder: "stub:implementer", approval: "Operator" });
  });

  it("[R-45] at a gate the responsibility behind it is blocked, and in progress once it is passed", () => {
    const play = new Play().go();
    const plan = () => responsibilities(play.run).find(({ id }) => id === "plan");
    expect(plan()).toMatchObject({ status: "blocked" });
    const working = new Play({ policy: autopilot });
    while (working.state !== "implementing") expect(working.step()).toBe(true);
    expect(responsibilities(working.run).find(({ id }) => id === "implement")?.status).toBe("in_progress");
  });

  it("[R-47] validation is satisfied by checks that pass only: not by a regression, not by checks that wait for a person", () => {
    const lane = (play: Play) => reviewLanes(play.run).find(({ id }) => id === "validation");
    expect(lane(drive({}))).toMatchObject({ state: "satisfied", satisfied: true });
    const broken = drive({ result: (_id, variant) => (variant === "base" ? "passed" : "failed") });
    expect(lane(broken)).toMatchObject({ state: "needs_revision", satisfied: false });
    expect(lane(drive({ result: () => "failed" }))).toMatchObject({ state: "blocked", satisfied: false });
  });
});

describe("the final report", () => {
  it("[R-75] names each command with its tree, result and both outputs", () => {
    const { run } = drive({});
    const stderr = ref("log", "err");
    const decision = "allowed_by_policy" as const;
    const passes = run.passes.map((pass) => ({
      ...pass,
      checks: pass.checks.map((one) => ({ ...one, stderr, permission: { ...one.permission, decision } })),
    }));
    const { commands } = buildFinalReport({ ...run, passes }).report;
    expect(commands.map(({ variant, result }) => `${variant} ${result}`)).toEqual(["base passed", "patched passed"]);
    const known = run.passes.flatMap((pass) => pass.checks);
    expect(commands).toMatchObject(
      known.map(({ stdout, tree, exitCode, durationMs, cwd }) => ({
        permission: "allowed_by_policy",
        tree,
        exitCode,
        durationMs,
        cwd,
        command: "npm run test",
        stdout: stdout?.ref,
        stderr: stderr.ref,
      })),
    );
  });

  it("[R-75] tells a person's approval from the policy's, and names the changed paths and the tree", () => {
    const auto = drive({});
    const byPolicy = buildFinalReport(auto.run).report.approvals.map(({ by }) => by);
    expect(byPolicy.length).toBeGreaterThan(0);
    for (const by of byPolicy) expect(by).toMatch(/^policy: /);
    const manual = new Play({ policy: early }).through("implementation_start", "isolated_patch_application");
    const { report } = buildFinalReport(manual.run);
    expect(new Set(report.approvals.map(({ by }) => by))).toEqual(new Set(["person (cli)"]));
    const shown = manual.run.approvals.map(({ subjectSha256 }) => subjectSha256);
    expect(report.approvals.map(({ subjectSha256 }) => subjectSha256)).toEqual(shown);
    expect(shown[0]).toMatch(/^[0-9a-f]{64}$/);
    const applied = manual.run.passes.flatMap(({ integration }) => integration?.paths ?? []);
    expect(report.changedPaths).toEqual(applied);
    expect(report.changedPaths).toEqual(["src/login.ts"]);
    expect(report.tree).toBe(manual.run.passes[1]?.integration?.tree);
  });
});

describe("the report and the packet of a run that failed", () => {
  const { run } = drive({ checks: [], tree: () => null });

  it("[R-75] name its state, its stop reason and its class, and no completion", () => {
    expect(run.phase).toMatchObject({ state: "failed", stopReason: "no_change" });
    const { report } = buildFinalReport(run);
    expect(report).toMatchObject({ finalState: "failed", stopReason: "no_change" });
    expect(report.crewLanes).toEqual(crewLanes(run));
    expect(buildProgressPacket(run).run).toMatchObject({ state: "failed", stopReason: "no_change" });
  });
});

describe("the progress packet", () => {
  it("[R-75] names the open questions, each with its source", () => {
    const { run } = drive({});
    const asked = { kind: "open_question", severity: "note", message: "which port?", refs: ["sha256:1"], seq: 3 };
    const packet = buildProgressPacket({ ...run, findings: [...run.findings, asked as never] });
    expect(packet.openQuestions).toMatchObject({
      included: 1,
      items: [{ question: "which port?", sourceRefs: ["sha256:1"] }],
    });
  });

  it("[R-75] names each response of an agent by its artifact", () => {
    const play = twice();
    const items = buildProgressPacket(play.run).responses.items as { callId: string; ref: string }[];
    expect(items.length).toBe(play.run.calls.length);
    for (const { callId, ref: named } of items) expect(named).toBe(responseTo(play, callId));
  });

  it("[R-75] keeps the newest items of a long section, and says how many it left out", () => {
    const play = drive({ checks: Array.from({ length: 45 }, (_, index) => check(`npm:c${index}`)) });
    const { report } = buildFinalReport(play.run);
    const { commands } = buildProgressPacket(play.run);
    expect(commands).toMatchObject({ included: 40, omitted: report.commands.length - 40 });
    expect(commands.items.at(-1)).toMatchObject({ seq: report.commands.at(-1)?.seq });
    expect(commands.items[0]).toMatchObject({ seq: report.commands.at(-40)?.seq });
  });
});

describe("the directive of a call", () => {
  const variablesFor = (play: Play, role: string) => {
    const effect = play.effects.findLast((one) => one.kind === "write_directive" && one.call.role === role);
    return effect?.kind === "write_directive" ? (effect.draft.variables as Record<string, never>) : undefined;
  };

  it("[R-20] names the crew for a planner too", () => {
    const { roles } = creation();
    const planner = { ...roles.orchestrator, assignment: "stub:plans" };
    const play = drive({}, { roles: { ...roles, planner } });
    const crew = variablesFor(play, "planner")?.["crew"];
    expect(crew).toContainEqual(expect.objectContaining({ role: "planner", assignment: "stub:plans" }));
  });

  it("[R-20] lets a call beside the loop neither edit nor run", () => {
    const { run } = drive({});
    const [worker] = run.calls.flatMap(({ record }) => (record.role === "implementer" ? [record] : []));
    const permissions = (more: object) => draftDirective(run, { ...worker, ...more } as never).toolPermissions;
    expect(permissions({})).toMatchObject({ edit: true, run: true });
    expect(permissions({ lane: "side" })).toMatchObject({ read: true, edit: false, run: false });
  });

  it("[R-20] names goal, constraints, criteria and paths of the run, and who is called with which tools", () => {
    const policy = { ...autopilot, allowedPaths: ["src/**"], disallowedPaths: ["src/db/**"] };
    const more = { policy, constraints: ["no new package"], acceptanceCriteria: ["it is quick"] };
    const play = drive({}, more);
    for (const role of ["orchestrator", "implementer", "qa", "verifier"]) {
      const variables = variablesFor(play, role);
      expect(variables?.["run"], role).toMatchObject({
        userGoal: play.run.created.goal,
        constraints: ["no new package"],
        acceptanceCriteria: ["it is quick"],
        allowedPaths: ["src/**"],
        disallowedPaths: ["src/db/**"],
      });
      expect(variables?.["role"], role).toMatchObject({ name: role, assignment: `stub:${role}` });
    }
    expect(variablesFor(play, "verifier")?.["role"]).toMatchObject({
      disallowedTools: expect.arrayContaining(["edit"]) as string[],
    });
  });

  it("[R-21] a repeated call gets, in its own field, what was wrong with the answer before; a first one gets nothing", () => {
    const replies = { qa: [{ trouble: "refused" as const }, { payload: { verdict: "pass", summary: "ok" } }] };
    const play = drive({ replies });
    const context = variablesFor(play, "qa")?.["context"] as unknown as { refusedBefore: string[] | null };
    expect(context.refusedBefore).toEqual([expect.stringContaining("scripted refused")]);
    expect(variablesFor(play, "verifier")?.["context"]).toMatchObject({ refusedBefore: null });
  });
});

describe("who reviews", () => {
  it("[R-40] the routing counts what it decides by, and asks the user when no agent verifies", () => {
    const failing = drive({ result: () => "failed" }).of("review_routing_decided")[0]?.routing;
    expect(failing).toMatchObject({
      tier: "high",
      signals: { validationCommandCount: 1, validationFailureCount: 1, hasVerifierAssignment: true },
    });
    const { verifier: _, qa: __, ...roles } = creation().roles;
    const alone = new Play({ policy: autopilot, roles }).go().of("review_routing_decided")[0]?.routing;
    expect(alone).toMatchObject({ action: "ask_user", required: { verifier: true, qa: false } });
    expect(drive({}).of("review_routing_decided")[0]?.routing).toMatchObject({ action: "run_qa" });
  });

  it("[R-40] work on a protected path is of high risk", () => {
    const protectedPaths = [{ path: "test/login.test.ts", class: "test", why: "it is a test" }];
    const play = drive({ judge: () => ({ protectedPaths }) });
    expect(play.of("review_routing_decided")[0]?.routing).toMatchObject({
      tier: "high",
      reasons: ["1 protected path changed"],
      signals: { protectedChangeCount: 1 },
    });
  });

  it.each([
    ["needs_more_evidence", "qa_inconclusive"],
    ["blocked", "qa_inconclusive"],
    ["needs_revision", "qa_failed"],
  ])("[R-42] QA that says %s triggers the critic as %s, with QA as the source", (said, reasonCode) => {
    const play = drive({ replies: { qa: [{ payload: { verdict: said, summary: said } }] } });
    const trigger = play.of("critic_trigger_written")[0]?.trigger;
    expect(trigger).toMatchObject({ reasonCode, sourceRoles: ["qa"], called: true });
    expect(trigger?.responseRef).toBe(responseTo(play, play.run.passes[1]?.qa));
  });

  it("[R-42] a trigger without a critic says that none is assigned", () => {
    const { critic: _, ...roles } = creation().roles;
    const play = new Play(
      { policy: autopilot, roles },
      { replies: { verifier: [verdict("revise", "x"), verdict("approve")] } },
    ).go();
    expect(play.of("critic_trigger_written")[0]?.trigger).toMatchObject({
      called: false,
      reason: expect.stringContaining("no critic is assigned") as string,
    });
  });

  it("[R-43] a packet names its finding, its criteria and all of its evidence", () => {
    const play = twice();
    const [, pass] = play.run.passes;
    expect(pass?.outcome).toMatchObject({
      sourceRole: "verifier",
      acceptanceCriteria: ["x"],
      evidenceRefs: [responseTo(play, pass?.verifier), pass?.validation?.artifact.ref, pass?.captured?.patch?.full.ref],
      criticTriggerRef: pass?.trigger?.artifact.ref,
    });
  });

  it("[R-43] work that was sent back before and comes again is a circle, although the findings differ", () => {
    const replies = {
      verifier: [verdict("revise", "x"), verdict("revise", "y"), verdict("revise", "z"), verdict("approve")],
    };
    const policy = { ...autopilot, budgets: { ...autopilot.budgets, maxIterations: 40 } };
    const play = drive({ tree: (pass) => (pass === 2 ? "5" : "7").repeat(40), replies }, { policy });
    expect(openGates(play.run)[0]).toMatchObject({ kind: "repeated_failure", cause: "actor_failure" });
    expect(openGates(play.run)[0]?.subject.text).toContain("exactly the work of pass 1 again");
  });
});
