// The rules while implementing and integrating: ask the worker, ask about its patch, apply it, ask about protected
// paths.
import { type RunEvent, plainLine } from "../../contract/index.ts";
import { ask } from "../call/ask.ts";
import { acceptedOf, isFit, mayDeliver, passAt } from "../facts/index.ts";
import { contradictionLines, list } from "../gate/lines.ts";
import { openGate } from "../gate/open.ts";
import { nextForWorker } from "../next/work.ts";
import { type Decision, type MachineDeps, emit, combine } from "../decision.ts";
import { appliesFirst } from "../policy/index.ts";
import { baseTree, isOpinion, reviewTree, takeOrRevise } from "../review/index.ts";
import type { Implementing, Integrating, Pass, Run } from "../state/index.ts";
import { enter } from "../transition.ts";
import { applyFirst, whileIntegratingFirst } from "./applied-first.ts";
import { whileIntegratingVerified } from "./candidate.ts";
import { rejected } from "./repairs.ts";

/** The worker's report compared with its patch: differences are recorded, and the report is never believed (R-4). */
function compareReport(run: Run, pass: Pass): RunEvent[] {
  const brief = acceptedOf(run, pass.callId)?.brief;
  if (brief?.contract !== "implementation_result") return [];
  const changedPaths = new Set(pass.captured?.patch?.changedPaths ?? []);
  const reported = new Set(brief.changedFiles);
  const unreported = [...changedPaths].filter((path) => reported.size > 0 && !reported.has(path));
  const unchanged = [...reported].filter((path) => !changedPaths.has(path));
  const note = (
    kind: "unreported_change" | "reported_but_unchanged" | "empty_patch_after_changed",
    message: string,
  ): RunEvent => ({
    type: "finding_recorded",
    pass: pass.number,
    finding: { kind, severity: "risk", message, refs: [] },
  });
  return [
    ...(brief.status === "changed" && changedPaths.size === 0
      ? [note("empty_patch_after_changed", "The worker says it changed something; its workspace holds no change.")]
      : []),
    ...(unreported.length > 0
      ? [note("unreported_change", plainLine(`Changed and not reported: ${unreported.join(", ")}`))]
      : []),
    ...(unchanged.length > 0 && changedPaths.size > 0
      ? [note("reported_but_unchanged", plainLine(`Reported as changed and not changed: ${unchanged.join(", ")}`))]
      : []),
  ];
}

/** A person who sends work back may mean another look, and blind tests may be wrong: then the work may stay as it is. */
const mayStay = ({ revision }: Pass): boolean =>
  revision === null || revision.reasonCode === "user_revise" || revision.reasonCode === "blind_tests_fail";

/** A repair that leaves the very tree that it was asked to repair. */
function leftAsItWas(run: Run, pass: Pass): boolean {
  const { number, captured } = pass;
  if (mayStay(pass)) return false;
  const before = run.passes[number - 1];
  return captured?.patch?.tree === (before?.conflict?.tree ?? before?.captured?.patch?.tree);
}

function withoutPatch(run: Run, phase: Implementing, pass: Pass, deps: MachineDeps): Decision {
  const noted = emit(...compareReport(run, pass));
  // A person who sends the work back may mean a check that fails only sometimes: then every check runs again.
  if (!pass.revision || mayStay(pass) || pass.contradictionSeen || pass.accepted)
    return combine(noted, enter(run, phase, "verifying", "the worker changed nothing"));
  const takes = isOpinion(pass.revision.reasonCode) && reviewTree(run) !== baseTree(run);
  return combine(
    noted,
    openGate(run, deps, {
      kind: "repeated_failure",
      ...(takes ? { answers: ["accept", "revise", "abort"] } : {}),
      shown: [
        `Pass ${pass.number} was a repair (${pass.revision.reasonCode}) and changed nothing.`,
        "Likely cause: the worker does not get closer to the goal.",
        `asked for: ${pass.revision.objective}`,
        ...(takes
          ? [takeOrRevise, `tree: ${reviewTree(run)}`]
          : ["Revise with what should be done differently, or abort."]),
        "If a check passes one time and fails another, revise and say so: when the worker leaves the work as it is, every check runs again.",
      ],
      refs: [pass.revision.artifact],
      about: { cause: "actor_failure" },
    }),
  );
}

/** The way out of a worker whose task and tests disagree: a person decides, and nothing counts as a failure (B-29). */
function contradictionGate(run: Run, pass: Pass, deps: MachineDeps): Decision | null {
  const accepted = acceptedOf(run, pass.callId);
  const brief = accepted?.brief;
  if (!accepted || pass.contradictionSeen) return null;
  const found = brief?.contract === "implementation_result" ? brief.contradiction : undefined;
  if (found === undefined) return null;
  const patch = pass.captured?.patch;
  return openGate(run, deps, {
    kind: "task_contradiction",
    shown: [
      "The worker says that the task and the tests disagree. It does not count as a failure.",
      ...contradictionLines(found),
      patch ? `It changed ${patch.changedPaths.length} files so far:` : "It changed nothing so far.",
      ...list(patch?.changedPaths ?? []),
      "Revise says which of them is right, and the worker goes on with your words. Approve goes on with the work as it is. Abort ends the run.",
    ],
    refs: [accepted.response, ...(patch ? [patch.full] : [])],
    about: { cause: "contradiction", role: "implementer" },
  });
}

export function whileImplementing(run: Run, phase: Implementing, deps: MachineDeps): Decision | null {
  const pass = passAt(run, phase.pass);
  if (pass.callId === null)
    return ask(run, deps, {
      role: "implementer",
      phase: pass.revision ? "repair" : "implement",
      why: pass.revision?.reason ?? "the work is delegated",
    });
  if (nextForWorker(run, phase) || !pass.captured) return null;
  const contradicted = contradictionGate(run, pass, deps);
  if (contradicted) return contradicted;
  if (!pass.captured.patch || leftAsItWas(run, pass)) return withoutPatch(run, phase, pass, deps);
  const { judgement } = pass;
  if (!judgement) return null;
  if (!isFit(judgement)) return rejected(run, phase, pass, judgement, deps);
  const [held, next] = appliesFirst(run.created.policy)
    ? applyFirst(run, phase, pass, judgement, deps)
    : [null, enter(run, phase, "verifying", "the work is verified before it touches the checkout")];
  return held ?? combine(emit(...compareReport(run, pass)), next);
}

/** The work of other runs in the checkout is not a change of the user. */
function inTheWay(run: Run, { paths, ofRuns = [] }: NonNullable<Integrating["blocked"]>) {
  const beside = mayDeliver(run, { kind: "dirty_checkout_before_patch", continuation: "retry_integration" });
  const onBranch = (left: string) =>
    beside ? [`Or approve with a new branch: this work goes there as a commit, and ${left}.`] : [];
  const runOf = (path: string) => ofRuns.find((one) => one.path === path);
  const named = paths.map((path) => {
    const found = runOf(path);
    return found ? `${path} (of ${found.runId}: ${plainLine(found.goal, 80)})` : path;
  });
  const runs = [...new Set(ofRuns.map(({ runId }) => runId))];
  const commits = `the work of ${runs.join(" and ")}`;
  if (runs.length === 0 || paths.some((path) => !runOf(path)))
    return {
      shown: [
        "These files have changes of yours that the patch would touch; nothing was changed:",
        ...list(named),
        `Commit, stash or move them${runs.length > 0 ? `, also ${commits}` : ""}, then approve to try again.`,
        ...onBranch("your files stay as they are"),
      ],
    };
  const whose = runs.length === 1 ? "another run" : `${runs.length} other runs`;
  return {
    title: `Work of ${whose} is in the way`,
    shown: [
      `These files hold work of ${whose} that is not committed yet; nothing was changed:`,
      ...list(named),
      `Commit ${commits} first. Then approve: this work is put on top of it and checked again.`,
      ...onBranch("the other stays where it is"),
    ],
  };
}

function blockedGate(run: Run, phase: Integrating, pass: Pass, deps: MachineDeps): Decision {
  const blocked = phase.blocked;
  if (!blocked) throw new Error("Nothing blocks the integration.");
  const dirty = blocked.reason === "dirty_checkout";
  return openGate(run, deps, {
    kind: dirty ? "dirty_checkout_before_patch" : "integration_failed",
    ...(dirty
      ? inTheWay(run, blocked)
      : {
          shown: [
            blocked.message,
            ...list(blocked.paths),
            "Approve to try again, revise to send it back to the worker.",
          ],
        }),
    refs: pass.captured?.patch ? [pass.captured.patch.patch] : [],
    about: { cause: blocked.reason },
  });
}

export function whileIntegrating(run: Run, phase: Integrating, deps: MachineDeps): Decision | null {
  const pass = passAt(run, phase.pass);
  if (phase.blocked) return blockedGate(run, phase, pass, deps);
  return appliesFirst(run.created.policy)
    ? whileIntegratingFirst(run, phase, pass, deps)
    : whileIntegratingVerified(run, phase, pass, deps);
}
