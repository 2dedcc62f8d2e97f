// A run that was moved: its report, its gate, or why it stopped.
import {
  withProcessState,
  lastAnswer,
  reportText,
  type Decided,
  type RunSnapshot,
  type Undone,
} from "../../../operations/run-data/index.ts";
import { visibleName } from "../../../core/contract/index.ts";
import { briefText, leftText, nextText, statusText } from "./run-text.ts";
import { renders, watchedOn, type HoodView } from "./view.ts";

/** Nothing moved yet, or nothing was to move. */
const standsStill = ({ stop }: RunSnapshot): boolean => stop === "created" || stop === "recorded";

export const statusJson = (standing: RunSnapshot, exit: number): object => ({
  ok: exit === 0,
  stop: standing.stop,
  ...(standsStill(standing) ? standing.status : withProcessState(standing.status, standing)),
  ...(standing.activities.length > 0 ? { activities: standing.activities } : {}),
});

export async function printStatus(standing: RunSnapshot, view: HoodView): Promise<void> {
  const { io, style, context } = view;
  const { runId, status } = standing;
  await using runs = await context.ports.runs(context.folder);
  // A person who looked on has seen it happen: they get the end of it, and where the whole of it is.
  if (status.state === "completed" && status.mode === "implement" && watchedOn(view)) {
    const { endText } = await import("./end-text.ts");
    const { columns, color } = io;
    return io.out(await endText(runs, { runId, columns, color, spell: view.spell }));
  }
  // They had the gate on the screen, and decide later.
  if (status.gate && watchedOn(view) && standing.stop === "approval_required" && !view.verbose) {
    const { laterText } = await import("./end-text.ts");
    const { columns, color } = io;
    return io.out(laterText(status, { columns, color, spell: view.spell }));
  }
  const answer = view.quiet && status.mode !== "implement" ? await lastAnswer(runs, runId) : "";
  if (status.state === "completed") io.out(answer === "" ? await reportText(runs, runId) : `${answer}\n`);
  if (view.quiet) return status.state === "completed" ? undefined : io.out(briefText(status, style, view.spell));
  const gates = status.gate ? await (await import("./gate-text.ts")).gateTexts(runId, view) : [];
  io.out(`\n${statusText(withProcessState(status, standing), gates, style, view.spell, standing.activities)}`);
}

export const moved = renders<RunSnapshot>({
  json: (standing, _, exit) => statusJson(standing, exit),
  print: (standing, view) =>
    standing.stop === "created" ? view.io.out(`${standing.runId}\n`) : printStatus(standing, view),
});

export const decided = renders<Decided>({
  json: ({ standing }, _, exit) => statusJson(standing, exit),
  print: ({ standing }, view) => (standsStill(standing) ? undefined : printStatus(standing, view)),
});

export const aborted = renders<RunSnapshot>({
  json: ({ status }) => ({ ok: true, ...status }),
  print({ runId, status }, { io, style, spell }) {
    if (status.state === "failed" && status.stopReason === "max_iterations")
      return io.out(`ended ${runId}: failed, no model calls were left\n`);
    if (status.state !== "aborted") return io.out(`stopped the side tasks of ${runId}, which stays ${status.state}\n`);
    const lines = [`aborted ${runId}`, ...leftText(status), ...nextText(status, style, spell)];
    return io.out(`${lines.join("\n")}\n`);
  },
});

/** The first of many, and how many more there are. */
const some = (paths: readonly string[]): string =>
  paths.length > 10
    ? `${paths.slice(0, 10).map(visibleName).join(", ")} and ${paths.length - 10} more`
    : paths.map(visibleName).join(", ");

export const undone = renders<Undone>({
  print({ runId, paths, gone, committed, keptRef }, { io, style }) {
    const lines = [
      paths.length === 0
        ? `Nothing of ${runId} was left in the checkout.`
        : `${style.green("✔")} undone: ${some(paths)}`,
      ...(gone.length > 0 ? [`  gone before, left as it is: ${some(gone)}`] : []),
      ...(committed.length > 0
        ? ["  Your last commit still holds the work: commit this change to take it out of the branch too."]
        : []),
      ...(keptRef === null ? [] : [`  the work is kept: git diff --stat HEAD ${keptRef}`]),
    ];
    io.out(`${lines.join("\n")}\n`);
  },
});
