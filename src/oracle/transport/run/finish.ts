// The end of every run, however it came: temporary files gone, result and metrics written, the session told last.
import type { RunRequest, RunResult, WriteProblem } from "../../../core/contract/transport/index.ts";
import { writeJson } from "../sessions/atomic-file.ts";
import { readResult, removeTemporary } from "../sessions/read.ts";
import type { LiveRecord } from "../sessions/record.ts";
import type { ResultBuilder } from "../result/draft.ts";

export interface SessionEnding {
  readonly live: LiveRecord;
  readonly request: RunRequest;
  readonly draft: ResultBuilder;
  /** False when a path the user named was refused: then nothing is written to any of them. */
  readonly outputs: boolean;
  readonly now: () => number;
  readonly log: (line: string) => void;
  readonly redact: (text: string) => string;
}

/** A session may not say how it ended when the result that proves it is not there. */
const untold = (status: string) => ({
  code: "store_full",
  message: `The run ended as ${status}, but its result could not be written.`,
  remedy: "Free some space; output.log tells what was done.",
});

/** Tries every write even when one fails. Answers the problems, if there were any. */
export function finishRun({ live, request, draft, outputs, now, log, redact }: SessionEnding): {
  result: RunResult;
  problems: WriteProblem[];
} {
  const problems: WriteProblem[] = [];
  const attempt = (target: WriteProblem["target"], name: string, act: () => void): boolean => {
    try {
      act();
      return true;
    } catch (error) {
      problems.push({
        target,
        message: `${name}: ${error instanceof Error ? error.message : String(error)}`,
      });
      return false;
    }
  };
  const { folder } = live;
  if (!request.files.keepBundle)
    attempt("temporary_files", "temporary files", () => removeTemporary(folder, live.current.temporary));
  const { result, metrics } = draft.close(redact);
  // A write that failed at its very last step may be there all the same, so the file is read back.
  const told =
    attempt("result", "result.json", () => writeJson(folder.result, result)) ||
    readResult(folder.result)?.status === result.status;
  if (outputs && request.outputs.json !== null)
    attempt("json_output", "--json-output", () => writeJson(request.outputs.json ?? "", result));
  attempt("metrics", "metrics.json", () => writeJson(folder.metrics, metrics));
  if (outputs && request.outputs.metrics !== null)
    attempt("metrics_output", "--metrics-output", () => writeJson(request.outputs.metrics ?? "", metrics));
  // Said before the record tells it: a follower of the session reads no further once it has ended.
  for (const { message } of problems) log(`could not write ${message}`);
  log(`ended: ${result.status}`);
  const endedAt = new Date(now()).toISOString();
  const recorded = attempt("session", "session.json", () =>
    live.update({
      status: told ? result.status : "error",
      stage: "ended",
      endedAt,
      heartbeatAt: endedAt,
      usage: result.usage,
      error: told ? result.error : untold(result.status),
      temporary: request.files.keepBundle ? live.current.temporary : [],
    }),
  );
  if (!recorded) log(`could not write ${problems.at(-1)?.message ?? "session.json"}`);
  return { result, problems };
}
