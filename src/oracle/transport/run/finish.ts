// The end of every run: removes temporary files, writes result and metrics, then session.json.
import type { RunRequest, RunResult, WriteProblem } from "../../../core/contract/transport/index.ts";
import { writeJson } from "../sessions/atomic-file.ts";
import { readResult, removeTemporary } from "../sessions/read.ts";
import type { LiveRecord } from "../sessions/record.ts";
import type { ResultBuilder } from "../result/draft.ts";

interface SessionEnding {
  readonly live: LiveRecord;
  readonly request: RunRequest;
  readonly draft: ResultBuilder;
  /** False when a path that the user named was refused: then none of them is written. */
  readonly outputs: boolean;
  readonly now: () => number;
  readonly log: (line: string) => void;
  readonly redact: (text: string) => string;
}

/** The error of a session whose result could not be written: its status would not be proved. */
const resultLost = (status: string) => ({
  code: "store_full",
  message: `The run ended as ${status}, but its result could not be written.`,
  remedy: "Free some space; output.log has the steps that were done.",
});

/** Tries every write, also after one failed, and returns the problems. */
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
  // A write that failed at its last step may still have replaced the file, so it is read back.
  const isStored =
    attempt("result", "result.json", () => writeJson(folder.result, result)) ||
    readResult(folder.result)?.status === result.status;
  if (outputs && request.outputs.json !== null)
    attempt("json_output", "--json-output", () => writeJson(request.outputs.json ?? "", result));
  attempt("metrics", "metrics.json", () => writeJson(folder.metrics, metrics));
  if (outputs && request.outputs.metrics !== null)
    attempt("metrics_output", "--metrics-output", () => writeJson(request.outputs.metrics ?? "", metrics));
  // Logged before session.json is written: a follower stops reading when the session has ended.
  for (const { message } of problems) log(`could not write ${message}`);
  log(`ended: ${result.status}`);
  const endedAt = new Date(now()).toISOString();
  const recorded = attempt("session", "session.json", () =>
    live.update({
      status: isStored ? result.status : "error",
      stage: "ended",
      endedAt,
      heartbeatAt: endedAt,
      usage: result.usage,
      error: isStored ? result.error : resultLost(result.status),
      temporary: request.files.keepBundle ? live.current.temporary : [],
    }),
  );
  if (!recorded) log(`could not write ${problems.at(-1)?.message ?? "session.json"}`);
  return { result, problems };
}
