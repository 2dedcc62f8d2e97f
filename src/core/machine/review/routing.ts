// The runtime decides from general signals which roles must look at the work.
import type { ReviewRouting, RiskTier } from "../../contract/index.ts";
import { counted, workPasses } from "../facts/index.ts";
import { type Decision, type MachineDeps, jsonArtifact } from "../decision.ts";
import type { Pass, Run } from "../state/index.ts";
import { compareChecks } from "./check-comparison.ts";
import { definingPaths } from "./trees.ts";

/** Signals of all the work in the tree under review, over all integrated passes. */
function workSignals(run: Run) {
  const judged = workPasses(run).map((pass) => pass.judgement);
  const known = judged.filter((judgement) => judgement !== null);
  return {
    paths: [...new Set(known.flatMap(({ paths }) => paths))],
    protectedPaths: [...new Set(known.flatMap((one) => one.protectedPaths.map(({ path }) => path)))],
    signals: [...new Set(known.flatMap(({ signals }) => signals))].sort(),
    docsOnly: known.length > 0 && known.every(({ docsOnly }) => docsOnly),
    lines: known.reduce((sum, one) => sum + one.addedLines + one.removedLines, 0),
    secrets: known.reduce((sum, one) => sum + one.secretCount, 0),
  };
}

/** Work with more changed lines than this is high risk. */
const manyLines = 800;

function tierOf(run: Run, pass: Pass): { tier: RiskTier; reasons: string[]; signals: ReviewRouting["signals"] } {
  const work = workSignals(run);
  const all = compareChecks(run, pass);
  const bad = all.filter(({ standing }) => standing !== "pass" && standing !== "fixed").length;
  const high = [
    work.protectedPaths.length > 0 && `${counted(work.protectedPaths.length, "protected path")} changed`,
    definingPaths(run).length > 0 && "files that define the checks changed",
    bad > 0 && `${counted(bad, "check")} ${bad === 1 ? "does" : "do"} not pass`,
    all.length === 0 && work.paths.length > 0 && !work.docsOnly && "no check judges this work",
    work.signals.length > 0 && `touches ${work.signals.join(", ")}`,
    work.secrets > 0 && "something that looks like a secret is in the patch",
    work.lines > manyLines && `${work.lines} changed lines`,
  ].filter((reason) => reason !== false);
  const low = work.docsOnly && bad === 0 && all.length > 0;
  const tier = high.length > 0 ? "high" : low ? "low" : "medium";
  const reasons = high.length > 0 ? high : [low ? "documentation only, and every check passes" : "ordinary change"];
  return {
    tier,
    reasons,
    signals: {
      changedPathCount: work.paths.length,
      changedLineCount: work.lines,
      protectedChangeCount: work.protectedPaths.length,
      definingChangeCount: definingPaths(run).length,
      validationCommandCount: all.length,
      validationFailureCount: bad,
      docsOnly: work.docsOnly,
      classes: work.signals.join(","),
      hasQaAssignment: run.roles.qa !== undefined,
      hasVerifierAssignment: run.roles.verifier !== undefined,
      pass: pass.number,
    },
  };
}

export function routeReview(run: Run, pass: Pass, deps: MachineDeps): Decision {
  const { tier, reasons, signals } = tierOf(run, pass);
  const wantsQa = tier !== "low";
  const hasQa = run.roles.qa !== undefined;
  const skipped: ReviewRouting["skipped"] = [];
  if (!wantsQa) skipped.push({ role: "qa", reason: "low risk: documentation only with passing checks" });
  else if (!hasQa) skipped.push({ role: "qa", reason: "no agent is assigned to QA" });
  skipped.push({ role: "critic", reason: "called only when something triggers it" });
  const required = { validation: true, qa: wantsQa && hasQa, verifier: true, critic: false };
  const action = required.qa ? "run_qa" : run.roles.verifier ? "run_verifier" : "ask_user";
  const policy = { qa: "risk_gated", verifier: "always_required", critic: "escalation_only" };
  const body = { riskTier: tier, action, required, skippedRoles: skipped, reasons, signals, policy };
  const artifact = jsonArtifact(
    deps,
    "review_routing",
    { schemaVersion: 1, kind: "review_routing", runId: run.runId, pass: pass.number, ...body },
    `review of pass ${pass.number}: ${tier} risk, ${reasons[0] ?? ""}`,
  );
  const routing: ReviewRouting = {
    tier,
    action,
    required,
    skipped,
    reasons,
    signals,
    artifact: artifact.ref,
  };
  return { events: [{ type: "review_routing_decided", pass: pass.number, routing }], artifacts: [artifact] };
}
