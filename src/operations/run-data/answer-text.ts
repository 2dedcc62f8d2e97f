// The answer of an agent and the report of a run as text for a person.
import { plainLine, plainText, isRecord } from "../../core/contract/index.ts";
import type { RepositoryRuns } from "../context/index.ts";

/** Fields that steer the runtime and tell a person nothing. */
const mechanical = ["thehoodDirectiveAck", "markdown", "action", "delegateTo", "nextRole", "confidence"];

const words = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const shown = (value: unknown): string => plainLine(typeof value === "string" ? value : JSON.stringify(value), 2_000);

function field([key, value]: [string, unknown]): string[] {
  if (mechanical.includes(key) || value === null || value === "") return [];
  if (!Array.isArray(value)) return [`${words(key)}: ${shown(value)}`];
  return value.length === 0 ? [] : [`${words(key)}:`, ...value.map((item) => `- ${shown(item)}`)];
}

/** The text of a recorded answer; empty for any other text. */
export function describeAnswer(recorded: string): string {
  const answer = parsed(recorded);
  const payload = isRecord(answer) && isRecord(answer["data"]) ? Object.values(answer["data"])[0] : undefined;
  if (!isRecord(answer) || !isRecord(payload)) return "";
  const long = typeof payload["markdown"] === "string" ? plainText(payload["markdown"]).trim() : "";
  const fields = Object.entries(payload).flatMap(field);
  return [
    shown(answer["summary"] ?? ""),
    ...(long ? ["", long] : []),
    ...(fields.length > 0 ? ["", ...fields] : []),
  ].join("\n");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Empty for an artifact that is not an answer. */
export const answerText = async (runs: RepositoryRuns, runId: string, ref: string): Promise<string> =>
  describeAnswer(new TextDecoder().decode((await runs.artifact(runId, ref)).bytes));

/** The last answer in the loop of a run: the result of a run that only reads. */
export async function lastAnswer(runs: RepositoryRuns, runId: string): Promise<string> {
  for (const { event } of (await runs.events(runId)).toReversed())
    if (event.type === "agent_response" && event.lane === "main" && event.outcome.result === "accepted")
      return answerText(runs, runId, event.outcome.response.ref);
  return "";
}

async function writtenReport(runs: RepositoryRuns, runId: string): Promise<string | undefined> {
  const written = await runs.report(runId);
  if (!written) return (await runs.endReport(runId))?.markdown;
  return new TextDecoder().decode((await runs.artifact(runId, written.markdown.ref)).bytes);
}

/** The report; of a run that only reads, the answer it found comes first. Empty while the run has not ended. */
export async function reportText(runs: RepositoryRuns, runId: string): Promise<string> {
  const report = await writtenReport(runs, runId);
  if (report === undefined) return "";
  const { mode } = await runs.status(runId);
  const answer = mode === "implement" ? "" : await lastAnswer(runs, runId);
  return answer === "" ? report : `${answer}\n\n${report}`;
}
