// The report of a run as a person reads it.
import type { RepositoryRuns } from "../context/index.ts";
import { lastAnswer } from "./answer-text.ts";

/** The report; of a run that only reads, the answer it found comes first. Empty when none is written. */
export async function reportText(runs: RepositoryRuns, runId: string): Promise<string> {
  const written = await runs.report(runId);
  if (!written) return "";
  const report = new TextDecoder().decode((await runs.artifact(runId, written.markdown.ref)).bytes);
  const { mode } = await runs.status(runId);
  const answer = mode === "implement" ? "" : await lastAnswer(runs, runId);
  return answer === "" ? report : `${answer}\n\n${report}`;
}
