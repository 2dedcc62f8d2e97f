// The words of agents in a report, each with its author. They are never claims, and prove nothing (B-9).
import { type Finding, plainLine, roleTable } from "../../contract/index.ts";
import { acceptedOf, commandLine, lastEditSeq } from "../facts/index.ts";
import { reviewTree } from "../review/index.ts";
import type { Pass, Run } from "../state/index.ts";

/** The role whose response a finding quotes. */
function authorOf(run: Run, { kind, refs }: Pick<Finding, "kind" | "refs">): string | null {
  if (kind === "user_note") return "the user";
  if (kind !== "open_question") return null;
  const call = run.calls.find(({ record }) =>
    refs.includes(acceptedOf(run, record.callId)?.response.ref ?? ""),
  );
  return call ? roleTable[call.record.role].label : "an agent";
}

/** A finding in the runtime's own words, or a quotation with its author. */
export function findingLine(
  run: Run,
  finding: Pick<Finding, "kind" | "severity" | "message" | "refs">,
): string {
  const author = authorOf(run, finding);
  const text = plainLine(finding.message, 300);
  return `- ${finding.severity}: ${author === null ? text : `${author}: “${text}”`}`;
}

/** The commands that the worker says it ran, each once, with what the runtime itself saw. */
export function reportedCommands(run: Run, pass: Pass): string[] {
  const accepted = acceptedOf(run, pass.callId);
  if (accepted?.brief?.contract !== "implementation_result" || run.base.tree === null) return [];
  const tree = reviewTree(run);
  const seen = run.passes
    .flatMap((entry) => entry.checks)
    .filter((check) => check.result === "passed" && check.tree === tree && check.seq > lastEditSeq(run));
  return [...new Set(accepted.brief.commandsRun.map((command) => command.trim()))].map((command) => {
    const match = seen.find((check) => commandLine(check.argv) === command);
    const known = match
      ? `the runtime ran the same command on this tree [event ${match.seq}]`
      : "the runtime did not see it";
    return `- The implementer says it ran \`${plainLine(command, 200)}\`; ${known}`;
  });
}
