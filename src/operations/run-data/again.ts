// The same goal again: what a person had said for the earlier run, also at its gates, with what they change now. A waiver counts
// for its own run only.
import { assignableRoles } from "../../core/contract/index.ts";
import { namedChecks } from "../../core/crew/policy/index.ts";
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
  const { mode, constraints, policy, roles, quoted = [], quotedWarnings } = first.event;
  const { goal, scope } = await runs.full(runId);
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
    acceptanceCriteria: orElse(changes.acceptanceCriteria, scope.acceptanceCriteria),
    allowedPaths: orElse(changes.allowedPaths, scope.allowedPaths),
    disallowedPaths: orElse(changes.disallowedPaths, scope.disallowedPaths),
    checks: changes.noChecks === true ? [] : orElse(changes.checks, namedChecks(policy.checks)),
    ...(policy.blindTests === "on" ? { careful: true } : {}),
    ...(policy.checksBelow === undefined ? {} : { checksBelow: policy.checksBelow }),
    ...(texts.length > 0 ? { quoted: texts, quotedWarnings } : {}),
    follows: { runId, how: "again" },
  };
}
