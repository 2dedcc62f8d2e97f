// What must hold in every course of a run, at every moment and at its end.
import { expect } from "vitest";
import type { Recorded, RunEvent } from "../../src/core/contract/index.ts";
import {
  due,
  fanoutParallel,
  fold,
  gateTable,
  appliesFirst,
  isEnded,
  latestPass,
  membersOf,
  needsProtectedApproval,
  nextInLoop,
  regressions,
  reviewLanes,
  roleConflict,
  openChecks,
} from "../../src/core/machine/index.ts";
import { runEvent } from "../../src/core/contract/index.ts";
import { canonicalJson } from "../../src/platform/store/index.ts";
import { type Course, begin, make } from "./chaos.ts";
import type { Play } from "./play.ts";

const of = <T extends RunEvent["type"]>(log: readonly Recorded[], type: T) =>
  log.flatMap(({ seq, event }) => (event.type === type ? [{ seq, ...(event as Extract<RunEvent, { type: T }>) }] : []));

/** Held at every moment of every course. */
function always(play: Play): void {
  const { run } = play;
  expect(roleConflict(run.roles)).toBeNull();
  expect(run.spent.responses).toBeLessThanOrEqual(run.created.policy.budgets.maxIterations);
  if (run.phase.state === "awaiting_approval") expect(nextInLoop(run)).toBeUndefined();
  expect(
    run.calls.filter(({ posted, result, record }) => posted && !result && record.lane === "main").length,
  ).toBeLessThanOrEqual(1);
  beside(play);
}

/** Waits overlap up to the bound, sends never do, and no call is sent twice. */
function beside({ run, log }: Play): void {
  const open = run.side.tasks.flatMap(({ callId, end }) =>
    end ? [] : run.calls.filter(({ record }) => record.callId === callId),
  );
  const out = open.filter(({ posted, result }) => posted && !result);
  expect(out.length).toBeLessThanOrEqual(fanoutParallel(run));
  expect(open.filter(({ posted, result }) => !posted && !result).length).toBeLessThanOrEqual(1);
  expect(due(run).length).toBeLessThanOrEqual(fanoutParallel(run));
  const sent = of(log, "provider_wait_posted").map(({ callId }) => callId);
  expect(new Set(sent).size).toBe(sent.length);
  for (const { groupId } of run.side.fanouts) {
    const order = membersOf(run.side, groupId).flatMap(({ callId }) =>
      callId !== null && sent.includes(callId) ? [sent.indexOf(callId)] : [],
    );
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  }
}

function finalState(play: Play): void {
  const { run, log } = play;
  if (run.phase.state !== "completed" || run.created.mode !== "implement") return;
  const pass = latestPass(run);
  expect(regressions(run, pass)).toEqual([]);
  expect(openChecks(run, pass)).toEqual([]);
  for (const lane of reviewLanes(run))
    if (lane.required && lane.canSatisfyGate) expect(lane).toMatchObject({ satisfied: true });
  // Whoever said yes said it about this pass, after its last edit, and was not the worker.
  const late = !appliesFirst(run.created.policy);
  const edit = (late ? pass.captured?.seq : pass.integration?.seq) ?? 0;
  // A candidate that was built again keeps the words of its reviewers.
  const rebuilt = of(log, "candidate_rebuilt").some((one) => one.pass === pass.number);
  if (pass.accepted) expect(pass.accepted.by.kind).not.toBe("policy");
  else {
    const verdict = run.calls.find(({ record }) => record.callId === pass.verifier);
    if (!rebuilt) expect(verdict?.seq).toBeGreaterThan(edit);
    expect(verdict?.record).toMatchObject({ lane: "main", role: "verifier", pass: pass.number });
    const workers = run.calls.filter(({ record, posted }) => record.role === "implementer" && posted);
    expect(workers.map(({ record }) => record.assignment.identity)).not.toContain(verdict?.record.assignment.identity);
  }
  expect(of(log, "run_completed")).toHaveLength(1);
  if (late && pass.integration) verifiedFirst(play);
}

/** [B-1] [B-2] Nothing was applied before its very tree was verified, and the last look found exactly that tree. */
function verifiedFirst({ run, log }: Play): void {
  const pass = latestPass(run);
  expect(of(log, "patch_applied")).toHaveLength(1);
  const applied = of(log, "patch_applied")[0];
  expect(pass.validation?.tree).toBe(applied?.integration.tree);
  expect(pass.validation?.seq).toBeLessThan(applied?.seq ?? 0);
  const last = of(log, "checkout_looked").at(-1);
  expect(last?.look).toMatchObject({ moment: "last", tree: applied?.integration.tree, paths: [] });
  const before = of(log, "checkout_looked").findLast(({ look }) => look.moment === "before");
  expect([run.base.tree, applied?.integration.tree]).toContain(before?.look.tree);
  if (needsProtectedApproval(run, pass))
    expect(
      run.approvals.some(
        ({ kind, auto, seq }) => kind === "protected_patch_changes" && auto === null && seq < (applied?.seq ?? 0),
      ),
    ).toBe(true);
}

function gates(play: Play): void {
  const { log } = play;
  const asked = of(log, "approval_required");
  const answered = of(log, "approval_recorded");
  expect(new Set(answered.map(({ approval }) => approval.gateId)).size).toBe(answered.length);
  for (const { approval, seq } of answered) {
    const gate = asked.find((one) => one.gate.id === approval.gateId);
    expect(gate?.seq).toBeLessThan(seq);
    expect(gate?.gate.subject.sha256).toBe(approval.subjectSha256);
    expect(gate?.gate.answers).toContain(approval.answer);
    const passes = ["approve", "accept", "retry", "extend"].includes(approval.answer);
    if (passes && gate?.gate.phrase) expect(approval.message).toContain(gate.gate.phrase);
    if (passes && approval.by.kind === "host") expect(play.run.created.policy.hostMayApprove).toBe(true);
  }
  for (const { gate, approval } of of(log, "approval_auto_approved")) {
    expect(gateTable[gate.kind].policy).not.toBe("never");
    expect(approval.subjectSha256).toBe(gate.subject.sha256);
  }
}

/** Nothing reaches the checkout, the reviewers or another machine without its yes. */
function effectsHadLeave(play: Play): void {
  const { run, log } = play;
  const yes = (kind: string, before: number, after: number) =>
    run.approvals.some((one) => one.kind === kind && one.answer === "approve" && one.seq < before && one.seq > after);
  for (const { seq, pass } of of(log, "patch_applied")) {
    const judged = run.passes[pass]?.judgement;
    expect(judged?.verdict).not.toBe("reject");
    expect(judged?.outsidePaths).toEqual([]);
    expect(yes("isolated_patch_application", seq, judged?.seq ?? Infinity)).toBe(true);
  }
  for (const { seq, pass } of of(log, "check_executed")) {
    const one = run.passes[pass];
    if ((one?.judgement?.protectedPaths.length ?? 0) === 0 || !one?.integration || !appliesFirst(run.created.policy))
      continue;
    expect(
      run.approvals.some(
        ({ kind, auto, seq: at }) =>
          kind === "protected_patch_changes" && auto === null && at < seq && at > (one.integration?.seq ?? 0),
      ),
    ).toBe(true);
  }
  for (const call of run.calls) {
    if (!call.posted || call.record.assignment.boundary !== "external") continue;
    expect(call.manifest).not.toBeNull();
    expect(call.transferApproved).toBe(true);
    if (call.manifest?.risk === "secret_risk")
      expect(
        run.approvals.some(
          ({ gate, auto, seq }) =>
            gate.callId === call.record.callId &&
            gate.kind.endsWith("transfer") &&
            auto === null &&
            seq < (call.posted?.seq ?? 0),
        ),
      ).toBe(true);
  }
}

/** What was decided is what the log gives back. */
function replays(play: Play): void {
  const stored = play.log.map(({ seq, at, event }): Recorded => ({
    seq,
    at,
    event: runEvent.parse(JSON.parse(canonicalJson(event))),
  }));
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  expect(plain(fold(stored))).toStrictEqual(plain(play.run));
  expect(fold(stored)).toEqual(fold(stored));
}

function playOut(given: Course): Play {
  const play = begin(given);
  let ended: string | undefined;
  for (const next of given.moves) {
    make(play, next);
    always(play);
    if (ended !== undefined) expect(JSON.stringify(play.run.phase)).toBe(ended);
    if (isEnded(play.run.phase)) ended ??= JSON.stringify(play.run.phase);
  }
  return play;
}

/** Plays the course out and holds everything against it. */
export function holdsFor(given: Course): Play {
  const play = playOut(given);
  finalState(play);
  gates(play);
  effectsHadLeave(play);
  replays(play);
  return play;
}
