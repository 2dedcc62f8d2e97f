// Closes the evidence of a pass: one summary of all checks, and a finding for each check that does not plainly pass.
import type { RunEvent } from "../../contract/index.ts";
import { type Decision, type MachineDeps, jsonArtifact } from "../decision.ts";
import type { Pass, Run } from "../state/index.ts";
import { reasonOf, type CheckComparison, compareChecks, wasTimedOut } from "./check-comparison.ts";
import { baseTree, definingPaths, reviewTree } from "./trees.ts";

const brief = (standing: CheckComparison) => ({
  checkId: standing.checkId,
  kind: standing.kind,
  command: standing.command,
  standing: standing.standing,
  before: standing.before
    ? { result: standing.before.result, exitCode: standing.before.exitCode, tree: standing.before.tree }
    : null,
  after: standing.after.map(({ variant, result, exitCode, tree, stdout, stderr, note }) => ({
    variant,
    result,
    exitCode,
    tree,
    stdout: stdout?.ref ?? null,
    stderr: stderr?.ref ?? null,
    note,
  })),
});

function findingsOf(pass: Pass, all: readonly CheckComparison[]): RunEvent[] {
  const make = (kind: "no_checks_found" | "nothing_to_run" | "check_failing_before", message: string): RunEvent => ({
    type: "finding_recorded",
    pass: pass.number,
    finding: { kind, severity: "blocking", message, refs: [] },
  });
  if (all.length === 0)
    return [make("no_checks_found", "The project defines no check; no automatic proof shows that the work holds.")];
  const why = (one: CheckComparison): string => {
    const reason = reasonOf(one);
    return reason === null ? "" : ` (${reason})`;
  };
  return all.flatMap((one) => {
    const { standing, command, before, after } = one;
    if (standing === "fewer_tests") {
      const missing = after.flatMap(({ missingTests }) => missingTests ?? []);
      if (missing.length > 0)
        return [
          make(
            "nothing_to_run",
            `\`${command}\` did not run ${missing.length} tests that passed before this work: ${missing.slice(0, 5).join(", ")}.`,
          ),
        ];
      const [now, silent] = [after.map(({ testsRun }) => testsRun), after.some((one) => one.silentFiles)];
      const ran = now.includes(null)
        ? "no longer says how many tests it ran"
        : `ran ${Math.min(...now.map(Number))} tests${silent ? ", some of them files that ended without one" : ""}`;
      return [make("nothing_to_run", `\`${command}\` ${ran}; before this work it ran ${before?.testsRun}.`)];
    }
    if (standing === "nothing_to_run" || standing === "not_run")
      return [
        make(
          "nothing_to_run",
          `\`${command}\` ${standing === "not_run" ? "could not be run" : "had nothing to run"}${why(one)}, so it says nothing about the work.`,
        ),
      ];
    if (standing !== "still_failing") return [];
    return [
      make(
        "check_failing_before",
        wasTimedOut(one)
          ? `\`${command}\` did not end in its time, before this work and after it${why(one)}.`
          : `\`${command}\` failed before this work and fails after it.`,
      ),
    ];
  });
}

export function closeValidation(run: Run, pass: Pass, deps: MachineDeps): Decision {
  const all = compareChecks(run, pass);
  const tree = reviewTree(run);
  const artifact = jsonArtifact(
    deps,
    "metadata",
    {
      schemaVersion: 1,
      kind: "validation_summary",
      runId: run.runId,
      pass: pass.number,
      tree,
      baseTree: baseTree(run),
      definingPaths: definingPaths(run),
      checks: all.map(brief),
    },
    `validation of pass ${pass.number}: ${all.map(({ checkId, standing }) => `${checkId} ${standing}`).join(", ") || "no checks"}`,
  );
  const checks = all.map(({ checkId, command, standing }) => ({ checkId, command, standing }));
  const validation = { tree, baseTree: baseTree(run), checks, artifact: artifact.ref };
  return {
    events: [...findingsOf(pass, all), { type: "validation_evidence_captured", pass: pass.number, validation }],
    artifacts: [artifact],
  };
}
