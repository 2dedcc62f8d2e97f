// The same goal again: what a person had said for the earlier run, with what they change now.
import { assignableRoles } from "../../core/contract/index.ts";
import type { Context } from "../context/index.ts";
import type { RunOptions } from "./begin.ts";

const orElse = <T>(given: readonly T[] | undefined, earlier: readonly T[]): readonly T[] =>
  given && given.length > 0 ? given : earlier;

export async function againOptions(
  wanted: string | undefined,
  changes: Partial<RunOptions>,
  context: Context,
): Promise<RunOptions> {
  await using runs = await context.ports.runs(context.folder);
  const runId = await runs.find(wanted);
  const [first] = await runs.events(runId);
  if (first?.event.type !== "run_created") throw new Error(`The log of ${runId} does not begin with run_created.`);
  const { goal, mode, constraints, acceptanceCriteria, policy, roles, quoted = [], quotedWarnings } = first.event;
  // Agents that were named for that run; the rest comes from the configuration of today.
  const named = assignableRoles.flatMap((role) => {
    const seat = roles[role];
    return seat?.source === "run" ? [[role, seat.assignment] as const] : [];
  });
  const texts = await Promise.all(
    quoted.map(async ({ ref, summary }) => ({
      name: summary,
      text: new TextDecoder().decode((await runs.artifact(runId, ref)).bytes),
    })),
  );
  return {
    ...changes,
    goal,
    mode,
    roles: { ...(changes.team === undefined ? Object.fromEntries(named) : {}), ...changes.roles },
    constraints: orElse(changes.constraints, constraints),
    acceptanceCriteria: orElse(changes.acceptanceCriteria, acceptanceCriteria),
    allowedPaths: orElse(changes.allowedPaths, policy.allowedPaths),
    disallowedPaths: orElse(changes.disallowedPaths, policy.disallowedPaths),
    ...(texts.length > 0 ? { quoted: texts, quotedWarnings } : {}),
    follows: { runId, how: "again" },
  };
}
