// Facts that the runtime saw or made: inspection, context, patches, integration, checks, review decisions.
import type { CapturedPatch, RunEventType } from "../../contract/index.ts";
import { activePhase, unreviewed, type Run } from "../state/index.ts";
import { type EvolveTable, spend, withPass } from "./table.ts";

function isSameChange(run: Run, pass: number, { patchSha256 }: CapturedPatch): boolean {
  return run.passes[pass]?.captured?.patch?.patchSha256 === patchSha256;
}

function sameSince(run: Run, pass: number, { patchSha256 }: CapturedPatch): { readonly sameSince?: number } {
  const before = run.passes[pass]?.captured;
  return before?.patch?.patchSha256 === patchSha256 ? { sameSince: before.sameSince ?? before.seq } : {};
}

export const work = {
  run_ready: (run, { inspection }, at) => ({ ...run, inspection: { ...inspection, ...at } }),
  finding_recorded: (run, { pass, finding }, at) => ({
    ...run,
    findings: [...run.findings, { ...finding, ...at, pass }],
  }),
  repo_context_requested(run, { callId, role, paths }) {
    const active = activePhase(run.phase);
    if (active?.state !== "planning" && active?.state !== "delegating") return run;
    return { ...run, phase: { ...active, last: null, wanted: { callId, role, paths } } };
  },
  repo_context_captured(run, { context }, at) {
    const next = { ...run, contexts: [...run.contexts, { ...context, ...at }] };
    if (run.phase.state !== "planning" && run.phase.state !== "delegating") return next;
    // The role that asked to see it is asked again.
    return { ...next, again: run.phase.wanted?.callId ?? null, phase: { ...run.phase, wanted: null } };
  },
  remote_repo_context_selected: (run, { remote, reason }) => ({
    ...run,
    remote: { context: remote, reason },
  }),
  checks_discovered: (run, { variant, checks }) =>
    variant === "base" ? { ...run, checks } : withPass(run, run.passes.length - 1, { workChecks: checks }),
  isolated_patch_captured: (run, { pass, patch, keptRef }, at) =>
    withPass(run, pass, { captured: { patch, keptRef, ...at } }),
  integration_patch_prepared: (run, { pass, judgement }, at) =>
    withPass(run, pass, { judgement: { ...judgement, ...at } }),
  // The checkout is inspected again after the apply, so the evidence from before it is dropped.
  patch_applied: (run, { pass, integration }, at) =>
    withPass(run, pass, { integration: { ...integration, ...at }, evidence: null }),
  checkout_looked: (run, { pass, look }, at) =>
    withPass(run, pass, { looks: [...(run.passes[pass]?.looks ?? []), { ...look, ...at }] }),
  // The approvals and the evidence were about another tree. The verdicts stay while the change is the same.
  candidate_rebuilt: (run, { pass, onto, patch }, at) => ({
    ...withPass(run, pass, {
      ...(isSameChange(run, pass, patch) ? {} : unreviewed),
      ...(run.passes[pass]?.integration ? { integration: null } : {}),
      captured: { patch, keptRef: patch.keptRef, ...sameSince(run, pass, patch), ...at },
      judgement: null,
      applyApproved: false,
      protectedApproved: false,
      evidence: null,
      workChecks: null,
      validation: null,
      blindTests: null,
      routing: null,
    }),
    base: onto,
  }),
  candidate_conflicted: (run, { pass, onto, tree, paths, message }, at) => ({
    ...withPass(run, pass, { conflict: { tree, paths, message, ...at } }),
    base: onto,
  }),
  integration_blocked: (run, { reason, message, paths, ofRuns = [] }) =>
    run.phase.state === "integrating"
      ? { ...run, phase: { ...run.phase, blocked: { reason, message, paths, ofRuns } } }
      : run,
  git_evidence_captured(run, { pass, moment, evidence }, at) {
    if (moment === "before") return { ...run, before: { ...evidence, ...at } };
    return moment === "after" ? withPass(run, pass, { evidence: { ...evidence, ...at } }) : run;
  },
  check_executed(run, { pass, check, tookMs }, at) {
    const done = run.passes[pass]?.checks ?? [];
    return spend(withPass(run, pass, { checks: [...done, { ...check, ...at }] }), { ms: tookMs });
  },
  validation_evidence_captured: (run, { pass, validation }, at) =>
    withPass(run, pass, { validation: { ...validation, ...at } }),
  checks_asked_again(run, { pass }, { seq }) {
    const phase = run.phase.state === "awaiting_approval" ? run.phase.back : run.phase;
    return { ...withPass(run, pass, { validation: null, blindTests: null }), phase, recheckedAt: seq };
  },
  validation_waived(run, { pass, checkId, command, tree, by, message }, at) {
    const waivers = run.passes[pass]?.waivers ?? [];
    return withPass(run, pass, { waivers: [...waivers, { checkId, command, tree, by, message, ...at }] });
  },
  blind_tests_run(run, { pass, callId, tests, tookMs }, at) {
    const isOver = run.calls.some(({ record }) => record.callId === run.trouble && record.purpose === "blind_tests");
    const known = withPass(run, pass, { blindTests: { ...tests, callId, ...at } });
    return spend(isOver ? { ...known, trouble: null } : known, { ms: tookMs });
  },
  blind_tests_wanted: (run, { by }) => ({ ...run, keepTests: { by, kept: null } }),
  blind_tests_kept: (run, { kept }) => (run.keepTests ? { ...run, keepTests: { ...run.keepTests, kept } } : run),
  review_routing_decided: (run, { pass, routing }, at) => withPass(run, pass, { routing: { ...routing, ...at } }),
  critic_trigger_written: (run, { pass, trigger }, at) => withPass(run, pass, { trigger: { ...trigger, ...at } }),
  revision_packet_written: (run, { packet }, at) => ({
    ...withPass(run, packet.pass, { outcome: { ...packet, ...at } }),
    counters: { ...run.counters, revision: run.counters.revision + 1 },
  }),
  revision_delegated: (run) => run,
  work_accepted_by_user: (run, { pass, tree, by, message }, at) =>
    withPass(run, pass, { accepted: { tree, by, message, ...at } }),
} satisfies Partial<EvolveTable<RunEventType>>;
