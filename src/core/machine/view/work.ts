// The work of a run pass by pass: the change that each pass captured, and each check before and after it.
import type { CheckEvidence, Recorded } from "../../contract/index.ts";

export interface PassView {
  readonly pass: number;
  readonly seq: number;
  /** From the base to this pass. */
  readonly full: string | null;
  /** From the pass before to this one; the same as `full` on the first. */
  readonly step: string | null;
  readonly paths: readonly string[];
}

export interface CheckView extends Pick<
  CheckEvidence,
  "checkId" | "kind" | "variant" | "result" | "exitCode" | "durationMs" | "testsRun" | "sandbox" | "note"
> {
  readonly seq: number;
  readonly pass: number;
  readonly command: string;
  readonly tree: string;
  readonly stdout: string | null;
  readonly stderr: string | null;
}

export const passViews = (entries: readonly Recorded[]): PassView[] =>
  entries.flatMap(({ event, seq }) =>
    event.type === "isolated_patch_captured"
      ? [
          {
            pass: event.pass,
            seq,
            full: event.patch?.full.ref ?? null,
            step: event.patch?.patch.ref ?? null,
            paths: event.patch?.changedPaths ?? [],
          },
        ]
      : [],
  );

export const checkViews = (entries: readonly Recorded[]): CheckView[] =>
  entries.flatMap(({ event, seq }) => {
    if (event.type !== "check_executed") return [];
    const { checkId, kind, variant, result, exitCode, durationMs, testsRun, sandbox, note, ...check } =
      event.check;
    return [
      {
        seq,
        pass: event.pass,
        command: check.argv.join(" "),
        tree: check.tree,
        stdout: check.stdout?.ref ?? null,
        stderr: check.stderr?.ref ?? null,
        checkId,
        kind,
        variant,
        result,
        exitCode,
        durationMs,
        testsRun,
        sandbox,
        note,
      },
    ];
  });
