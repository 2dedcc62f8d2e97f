// The checks of the repository as findings of `doctor`: what a run would be judged by, and what prevents them.
import { badCheck, FailureError, okCheck, type DoctorCheck } from "../../core/contract/index.ts";
import type { ChecksReport, DoctorReport, Ports } from "../context/index.ts";
import { describeBaseline } from "./describe-baseline.ts";

export async function checkFindings(
  ports: Pick<Ports, "runs">,
  { repo, checks }: Pick<DoctorReport, "repo" | "checks">,
): Promise<readonly DoctorCheck[]> {
  // A check that already failed is reported once.
  if (checks.some(({ name, state }) => name === "repository" && state !== "ok")) return [];
  try {
    await using runs = await ports.runs(repo);
    return findingsOf(await runs.checks());
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    const { message, remedy = null } = error.failure;
    return checks.some(({ detail }) => detail === message) ? [] : [badCheck("checks", "warning", message, remedy)];
  }
}

function findingsOf({ checks, findings, uncommitted }: ChecksReport): DoctorCheck[] {
  const rows = checks.map(({ id, argv, source, missing, baseline }): DoctorCheck => {
    const command = `${argv.join(" ")} (from ${source})`;
    const [first] = missing;
    const result = baseline === null ? "unknown" : baseline.result === "passed" ? "passed" : "failed";
    const found = first
      ? badCheck(id, "warning", `${command}: ${missing.map(({ what }) => what).join(", ")}`, first.remedy)
      : okCheck(id, `${command}: ${describeBaseline(baseline)}`);
    return { ...found, result, ...(baseline === null ? {} : { ms: baseline.durationMs }) };
  });
  const none: DoctorCheck[] = findings.map((detail) => ({
    name: "checks",
    state: checks.length === 0 ? "warning" : "note",
    detail,
    remedy: checks.length === 0 ? "thehood checks add NAME -- COMMAND" : null,
  }));
  const edits: DoctorCheck[] =
    uncommitted.length === 0
      ? []
      : [
          badCheck(
            "uncommitted",
            "note",
            `files with uncommitted edits: ${uncommitted.length}; agents start from the last commit and do not see them`,
            "Commit them first if the work needs them",
          ),
        ];
  return [...rows, ...none, ...edits];
}
