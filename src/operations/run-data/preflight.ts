// The checks of the repository as findings of `doctor`: what a run would be judged by, and what stands in their way.
import { FailureError } from "../../core/contract/index.ts";
import type { ChecksReport, DoctorCheck, DoctorReport, Ports } from "../context/index.ts";
import { describeBaseline } from "./describe-baseline.ts";

export async function checkFindings(
  ports: Pick<Ports, "runs">,
  { repo, checks }: Pick<DoctorReport, "repo" | "checks">,
): Promise<readonly DoctorCheck[]> {
  // A look that already failed is told once.
  if (checks.some(({ name, state }) => name === "repository" && state !== "ok")) return [];
  try {
    await using runs = await ports.runs(repo);
    return findingsOf(await runs.checks());
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    const { message, remedy = null } = error.failure;
    return checks.some(({ detail }) => detail === message)
      ? []
      : [{ name: "checks", state: "warning", detail: message, remedy }];
  }
}

function findingsOf({ checks, findings, uncommitted }: ChecksReport): DoctorCheck[] {
  const rows = checks.map(({ id, argv, source, missing, baseline }): DoctorCheck => {
    const said = `${argv.join(" ")} (from ${source})`;
    const [first] = missing;
    return first
      ? {
          name: id,
          state: "warning",
          detail: `${said}: ${missing.map(({ what }) => what).join(", ")}`,
          remedy: first.remedy,
        }
      : { name: id, state: "ok", detail: `${said}: ${describeBaseline(baseline)}`, remedy: null };
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
          {
            name: "uncommitted",
            state: "note",
            detail: `files with uncommitted edits: ${uncommitted.length}; agents start from the last commit and do not see them`,
            remedy: "Commit them first if the work needs them",
          },
        ];
  return [...rows, ...none, ...edits];
}
