// The statements of the final report, as typed claims. A claim is proven by events of the log (the right command, the
// right tree,
// after the last edit), judged by a model, or unproven. A model's sentence never proves anything.
import type { CheckEvidence } from "../../contract/index.ts";
import { hasWorked } from "../call/ask.ts";
import {
  acceptedOf,
  callOf,
  commandLine,
  diffRead,
  lastEditSeq,
  lastIntegratedPass,
  resultOf,
  unchangedReason,
  verifierAnswers,
  deliveryOf,
} from "../facts/index.ts";
import {
  baseTree,
  blindMeasure,
  evidenceFor,
  failingAsBefore,
  isDeaf,
  needsProtectedApproval,
  reviewTree,
  compareChecks,
  type CheckComparison,
  untouchedChecks,
} from "../review/index.ts";
import type { AgentCall, At, Pass, Run } from "../state/index.ts";
import { checkMeasure, isTooFew, reachesChange, reachMeasure, type Reach } from "../review/measure.ts";

export interface Claim {
  readonly kind:
    | "integration"
    | "paths"
    | "check"
    | "no_regression"
    | "reach"
    | "blind_tests"
    | "verifier"
    | "protected"
    | "criterion"
    | "untouched";
  readonly statement: string;
  readonly standing: "proven" | "judged" | "unproven";
  /** The events that prove it. */
  readonly evidence: readonly number[];
  readonly why: string;
}

const proven = (kind: Claim["kind"], statement: string, evidence: readonly number[], why: string): Claim => ({
  kind,
  statement,
  standing: "proven",
  evidence,
  why,
});
const unproven = (kind: Claim["kind"], statement: string, why: string): Claim => ({
  kind,
  statement,
  standing: "unproven",
  evidence: [],
  why,
});

export function claims(run: Run): Claim[] {
  if (run.created.mode !== "implement") return [untouched(run)];
  const pass = run.passes.at(-1);
  if (!pass) return [];
  return [
    ...integration(run),
    ...checks(run, pass),
    noRegression(run, pass),
    ...reaches(run, pass),
    ...blind(pass),
    verified(run, pass),
    ...protectedChanges(run),
    ...criteria(run, pass),
  ];
}

/** Work for a branch: the commit itself is made, and signed, after the run. */
function forBranch(run: Run): Claim[] {
  const toBranch = deliveryOf(run).branch;
  const pass = resultOf(run)?.pass;
  if (toBranch === undefined || !pass?.captured || !pass.validation) return [];
  const statement = `The verified tree is for branch ${toBranch}; the checkout was not touched`;
  const { tree } = pass.validation;
  return tree === pass.captured.patch?.tree && lastIntegratedPass(run) === undefined
    ? [proven("integration", statement, [pass.captured.seq, pass.validation.seq], `tree ${tree.slice(0, 12)}`)]
    : [unproven("integration", statement, "the checked tree is not the captured one")];
}

/** Nothing to do is a result too: the worker captured nothing, and nothing was applied (B-29). */
function unchanged(run: Run, reason: string): Claim {
  const captured = run.passes.at(-1)?.captured;
  const statement = "Nothing was changed, and the checkout is as it was";
  return captured && reviewTree(run) === baseTree(run)
    ? proven("integration", statement, [captured.seq], `the worker's reason: “${reason}”`)
    : unproven("integration", statement, "the worker captured a change");
}

function integration(run: Run): Claim[] {
  const branch = forBranch(run);
  if (branch.length > 0) return branch;
  const reason = unchangedReason(run);
  const pass = lastIntegratedPass(run);
  if (reason !== null && !pass) return [unchanged(run, reason)];
  if (!pass?.integration || !pass.captured?.patch)
    return [unproven("integration", "The change is in the checkout", "nothing was integrated")];
  const { integration: done, captured } = pass;
  const same = captured.patch?.patchSha256 === done.patchSha256 && captured.patch.tree === done.tree;
  // The claim is about the moment of the integration: the user may have changed the checkout since.
  const statement = `The change to ${done.paths.length === 1 ? "one file" : `${done.paths.length} files`} was put into the checkout, byte for byte as captured`;
  const exact = same
    ? proven(
        "integration",
        statement,
        [captured.seq, done.seq],
        `patch ${done.patchSha256.slice(0, 12)}, tree ${done.tree.slice(0, 12)}`,
      )
    : unproven("integration", statement, "the applied patch is not the captured one");
  const judged = pass.judgement;
  const only = judged && done.paths.every((path) => judged.paths.includes(path));
  const onlyApproved = "Nothing but the approved paths was changed";
  return [
    exact,
    only
      ? proven("paths", onlyApproved, [judged.seq, done.seq], done.paths.join(", ").slice(0, 500))
      : unproven("paths", onlyApproved, "the applied paths are not those that were judged"),
  ];
}

/** Fresh means: about the tree under review, and recorded after the last edit (or, for the base, about the base tree). */
const fresh = (run: Run, evidence: readonly At[]): boolean =>
  evidence.length > 0 && evidence.every(({ seq }) => seq > lastEditSeq(run));

function afterEvents(run: Run, standing: CheckComparison): At[] {
  const tree = reviewTree(run);
  return (["guarded", "patched", "base"] as const).flatMap((variant) => {
    if (variant === "base" && tree !== baseTree(run)) return [];
    const found = evidenceFor(run, standing.checkId, variant, tree);
    return found ? [found] : [];
  });
}

function checks(run: Run, pass: Pass): Claim[] {
  if (run.created.baseTree === null) return [];
  const tree = reviewTree(run);
  const all = compareChecks(run, pass);
  if (all.length === 0) return [unproven("check", "The project's checks pass", "the project defines no check")];
  return all.map((standing) => {
    const after = afterEvents(run, standing);
    const events = after.map(({ seq }) => seq);
    const statement =
      standing.standing === "fixed"
        ? `\`${standing.command}\` failed before and passes now`
        : `\`${standing.command}\` passes`;
    const waiver = pass.waivers.find((entry) => entry.checkId === standing.checkId && entry.tree === tree);
    if (
      (standing.standing === "pass" || standing.standing === "fixed") &&
      (fresh(run, after) || tree === baseTree(run))
    ) {
      const before = evidenceFor(run, standing.checkId, "base", baseTree(run));
      // Work that behaves by what no run of ours can vary may behave otherwise in real use.
      const same = standing.after.find(({ repeats }) => repeats?.same !== undefined)?.repeats?.same;
      if (isDeaf(standing.after))
        return unproven("check", statement, `it passes with a failure planted in its tests; ${checkMeasure(standing)}`);
      if (same !== undefined)
        return unproven(
          "check",
          statement,
          `it passes here, and ${same}, which checks cannot vary; ${checkMeasure(standing)}`,
        );
      return proven(
        "check",
        statement,
        [...(before ? [before.seq] : []), ...events],
        `${checkMeasure(standing)}; run by the runtime on tree ${tree.slice(0, 12)}${wavering(run, standing.checkId, tree)}`,
      );
    }
    return unproven(
      "check",
      statement,
      waiver ? `waived by the user: ${waiver.message}` : `it is ${standing.standing.replaceAll("_", " ")}`,
    );
  });
}

/**
 * A check that was seen to fail on the very tree it passes on is not to be trusted like others, and the report says so.
 */
function wavering(run: Run, checkId: string, tree: string): string {
  const failed = run.passes
    .flatMap((entry) => entry.checks)
    .filter((check) => check.checkId === checkId && check.tree === tree && check.result !== "passed" && !check.cut);
  const base = tree === baseTree(run);
  const other = failed.filter(({ variant }) => base || variant !== "base").map(({ seq }) => seq);
  return other.length > 0 ? `; it also failed on this very tree (event ${other.join(", ")})` : "";
}

/** The checks that were left out, since nothing in their folders was changed (B-8). */
function leftOut(run: Run): string {
  const left = untouchedChecks(run).map(({ argv, within }) => `\`${commandLine(argv)}\` in ${within}`);
  return left.length === 0 ? "" : `; not run, since nothing below was changed: ${left.join(", ")}`;
}

function noRegression(run: Run, pass: Pass): Claim {
  const statement = "No check that passed before fails now";
  if (run.created.baseTree === null || !pass.validation)
    return unproven("no_regression", statement, "validation is not complete");
  if (compareChecks(run, pass).length === 0) return unproven("no_regression", statement, "there is no check");
  const all = compareChecks(run, pass);
  const lost = [...failingAsBefore(run, pass), ...all.filter(({ standing }) => standing === "fewer_tests")];
  if (lost.length > 0) return unproven("no_regression", statement, lost.map(({ command }) => command).join(", "));
  const unknown = all.filter(({ before }) => before === undefined || !hasResult(before.result));
  const compared = all.length - unknown.length;
  const names = unknown.map(({ command }) => `\`${command}\``).join(", ");
  if (compared === 0) return unproven("no_regression", statement, `without a result on the base tree: ${names}`);
  const each =
    unknown.length === 0
      ? "each was run on the base tree and on this one"
      : `${compared} of ${all.length} checks were run on the base tree and on this one; without a result on the base tree: ${names}`;
  return proven("no_regression", statement, [pass.validation.seq], `${each}${leftOut(run)}`);
}

/** A check that did not start, ran no test or was ended by its time limit says nothing about its tree. */
const hasResult = (result: CheckEvidence["result"]): boolean => result === "passed" || result === "failed";

/** Checks that notice nothing when the change is broken on purpose say nothing about it (B-6). */
function reaches(run: Run, pass: Pass): Claim[] {
  if (run.created.baseTree === null || reviewTree(run) === baseTree(run)) return [];
  const all = compareChecks(run, pass);
  const found = reachesChange(all);
  if (found === null) return [];
  const measure = reachMeasure(found);
  const events = all.flatMap((one) => afterEvents(run, one).map(({ seq }) => seq));
  const statement = "Your tests notice mistakes in this change";
  const doubts = doubtsOf(found);
  if (found.ran === 0) return [unproven("reach", statement, measure)];
  return doubts.length === 0
    ? [proven("reach", statement, events, measure)]
    : [unproven("reach", statement, `${doubts.join("; ")}: ${measure}`)];
}

/** Each reason why the checks do not notice mistakes in all of the change, or say less than they seem to. */
function doubtsOf(found: Reach): string[] {
  const { noticed, unreached, unmeasured, known, touchy } = found;
  if (noticed === 0) return ["They noticed none of the planted mistakes", ...unreached];
  return [
    ...(unreached.length > 0 ? [`your tests notice none in ${unreached.join(", ")}`] : []),
    ...(isTooFew(found) ? ["fewer than half of the wrong values are noticed"] : []),
    ...(touchy === null ? [] : [`${touchy} makes the check fail`]),
    ...(unmeasured === null ? [] : [`nothing was noticed or tried in ${unmeasured}`]),
    ...(known === null ? [] : [`${known}, and nothing shows that it is right for others`]),
  ];
}

/** Tests of an agent that never saw the work (B-33). */
function blind({ blindTests }: Pass): Claim[] {
  if (!blindTests) return [];
  const statement = "Tests that another agent wrote from the goal alone pass on this work";
  const { proving, failing, seq } = blindTests;
  const measure = blindMeasure(blindTests);
  return [
    proving > 0 && failing === 0
      ? proven("blind_tests", statement, [seq], measure)
      : unproven("blind_tests", statement, measure),
  ];
}

function verified(run: Run, pass: Pass): Claim {
  const call = callOf(run, pass.verifier);
  const accepted = acceptedOf(run, pass.verifier);
  const moved = call !== undefined && call.seq < lastEditSeq(run);
  const statement = `Another agent than the implementer approved this very ${moved ? "change" : "tree"}`;
  if (pass.accepted)
    return unproven("verifier", statement, `the user took the work as it is: ${pass.accepted.message}`);
  if (!call?.result || accepted?.brief?.contract !== "verification_result")
    return unproven("verifier", statement, "no verifier answered about this work");
  if (accepted.brief.verdict !== "approve")
    return unproven("verifier", statement, `the verdict is ${accepted.brief.verdict}`);
  if (hasWorked(run, call.record.assignment)) return unproven("verifier", statement, "it is the same agent");
  if (moved && !isBuiltAgain(run, pass, call))
    return unproven("verifier", statement, "it was asked before the last edit");
  const calls = verifierAnswers(run, pass);
  const { given, total } = diffRead(run, calls);
  const parts = calls.length > 1 ? ` in ${calls.length} parts` : "";
  const measure = `${call.record.assignment.assignment} read ${given} of ${total} bytes of the diff${parts}${moved ? `; ${rebuilt}` : ""}`;
  return given < total
    ? unproven("verifier", statement, measure)
    : proven(
        "verifier",
        statement,
        calls.flatMap(({ seq, result }) => [seq, result?.seq ?? seq]),
        measure,
      );
}

/** The last edit only put the very bytes that were reviewed onto a checkout that had moved. */
function isBuiltAgain(run: Run, { captured }: Pass, call: AgentCall): boolean {
  const { sameSince, seq } = captured ?? {};
  return sameSince !== undefined && seq === lastEditSeq(run) && call.seq > sameSince;
}

const rebuilt = "the checkout moved after that; the same bytes were built again on it, and every check ran again";

function protectedChanges(run: Run): Claim[] {
  return run.passes.flatMap((pass) => {
    const touched = pass.judgement?.protectedPaths ?? [];
    // New tests beside the tests of the base need no approval of their own.
    if (touched.length === 0 || !pass.integration || !needsProtectedApproval(run, pass)) return [];
    const statement = `The protected changes of pass ${pass.number} were approved on their own`;
    const approval = run.approvals.find(
      (entry) =>
        entry.kind === "protected_patch_changes" && entry.auto === null && entry.seq > (pass.judgement?.seq ?? 0),
    );
    return approval && pass.protectedApproved
      ? [proven("protected", statement, [approval.seq], touched.map(({ path }) => path).join(", "))]
      : [unproven("protected", statement, "no approval is on record")];
  });
}

function criteria(run: Run, pass: Pass): Claim[] {
  const accepted = acceptedOf(run, pass.verifier);
  const approved = accepted?.brief?.contract === "verification_result" && accepted.brief.verdict === "approve";
  const seq = callOf(run, pass.verifier)?.result?.seq;
  return run.scope.acceptanceCriteria.map((criterion) => ({
    kind: "criterion",
    statement: criterion,
    standing: approved ? "judged" : "unproven",
    evidence: approved && seq !== undefined ? [seq] : [],
    why: approved ? "the verifier's judgement, not a measurement" : "it was not judged",
  }));
}

function untouched(run: Run): Claim {
  const statement = "Nothing in the checkout was changed";
  const pass = run.passes.at(-1);
  const before = run.before;
  const after = pass?.evidence;
  if (!before?.ok || !after?.ok)
    return unproven("untouched", statement, "the runtime has no evidence from before and after");
  const same =
    before.status?.ref === after.status?.ref && before.diff?.ref === after.diff?.ref && before.head === after.head;
  return same
    ? proven("untouched", statement, [before.seq, after.seq], "git status and diff are the same before and after")
    : unproven("untouched", statement, "git status or diff differ");
}
