// The checks that do not pass on the work under review, each with the lines of its output that tell why.
import {
  failingLines,
  visibleText,
  type ArtifactRef,
  type RunEvent,
  type StoredEvent,
} from "../../core/contract/index.ts";
import type { RepositoryRuns } from "../context/index.ts";

export interface FailingCheck {
  readonly command: string;
  /** `failed`, `timed_out`, `not_started` or `nothing_ran`. */
  readonly result: string;
  readonly lines: readonly string[];
}

/** The end of an output is enough: runners tell about failures there. */
const mostBytes = 1 << 20;

export const shellQuote = (argv: readonly string[]): string =>
  visibleText(argv.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(" "));

async function outputOf(runs: RepositoryRuns, runId: string, ref: ArtifactRef | null): Promise<string> {
  if (ref === null) return "";
  const offset = Math.max(0, ref.bytes - mostBytes);
  const { bytes } = await runs.artifact(runId, ref.ref, { offset, max: mostBytes });
  return visibleText(new TextDecoder().decode(bytes));
}

/** By the last time that each check ran with the work. */
export async function failingChecks(
  runs: RepositoryRuns,
  runId: string,
  events: readonly StoredEvent<RunEvent>[],
): Promise<readonly FailingCheck[]> {
  const latest = new Map(
    events.flatMap(({ event }) =>
      event.type === "check_executed" && event.check.variant !== "base"
        ? [[event.check.checkId, event.check] as const]
        : [],
    ),
  );
  return await Promise.all(
    [...latest.values()]
      .filter(({ result }) => result !== "passed")
      .map(async ({ argv, result, note, stdout, stderr }) => {
        const output = [await outputOf(runs, runId, stdout), await outputOf(runs, runId, stderr)];
        const text = output.map((one) => one.trimEnd()).filter(Boolean);
        return {
          command: shellQuote(argv),
          result,
          // Where the code alone does not explain it, the reason comes before the output, which may tell of a pass.
          lines: [
            ...(note === null ? [] : [visibleText(note)]),
            ...(text.length === 0 ? [] : failingLines(text.join("\n"))),
          ],
        };
      }),
  );
}
