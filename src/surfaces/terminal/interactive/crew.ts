// The crew of a run that waits for its start, and its change in the editor: each role that gets another agent is one command.
import type { GateDetails } from "../../../operations/run-data/index.ts";
import type { StartSummary } from "../../../core/machine/view/index.ts";
import { line } from "../text/line.ts";
import { crewLines } from "../views/start.ts";
import type { GateOptions } from "./gate-answers.ts";
import { createTextView } from "./text-view.ts";
import type { ScreenView } from "./view.ts";

type Crew = StartSummary["crew"];

const help = [
  "# Give a role to another agent by changing its line: role provider:model. Other lines stay as they are.",
  "# Another orchestrator or verifier is asked about once more.",
];

export const crewDraft = (crew: Crew): string =>
  [...crew.map(({ role, agent }) => `${role.padEnd(14)}${agent}`), "", ...help, ""].join("\n");

/** The roles with another agent than before; a line that names none of the roles says nothing. */
export function readCrew(text: string | null, crew: Crew): Crew {
  const named = (text ?? "").split("\n").map((one) => one.trim().split(/\s+/));
  return crew.flatMap(({ role, agent }) => {
    const wanted = named.findLast(([first]) => first === role)?.[1];
    return wanted === undefined || wanted === agent ? [] : [{ role, agent: wanted }];
  });
}

/** A switch that waits for its answer comes before the start that it belongs to. */
export function firstGate({ gates }: Pick<GateDetails, "gates">): GateDetails["gates"][number] | undefined {
  const main = gates.find(({ lane }) => lane === "main") ?? gates[0];
  const switched = gates.find(({ kind }) => kind === "role_switch");
  return main?.summary?.sort === "start" && switched ? switched : main;
}

export function createCrewView({ deps, open: { runId }, reopen }: GateOptions, { crew }: StartSummary): ScreenView {
  async function change(): Promise<void> {
    const wanted = readCrew(await deps.edit(crewDraft(crew)), crew);
    if (wanted.length === 0) return deps.showNote(line("Nothing was changed: the crew stays as it is."));
    for (const { role, agent } of wanted) if (!(await deps.act("roles set", { role, agent, run: runId }))) return;
    deps.back();
    await reopen?.();
  }
  return createTextView({
    deps,
    title: "The crew",
    command: `thehood roles set ROLE provider:model --run ${runId}`,
    lines: () => crewLines({ crew }),
    actions: () => (reopen ? [{ key: "c", word: "change", act: change }] : []),
  });
}
