// The workers of the shared store and its schedules, for a person: runs that cannot go on stand first.
import type { FleetSchedule, FleetTrouble, FleetView, FleetWorker } from "../../../operations/context/index.ts";
import type { Style } from "../../argv/index.ts";
import { safe } from "./list.ts";
import { renders } from "./view.ts";

const duration = (seconds: number): string =>
  seconds < 120
    ? `${Math.round(seconds)} s`
    : seconds < 7_200
      ? `${Math.round(seconds / 60)} min`
      : `${Math.round(seconds / 3_600)} h`;

function troubleText({ runId, host, secondsAgo, failure }: FleetTrouble, style: Style): string {
  const head = `${style.red("✘")} ${runId}  ${style.dim(`tried by ${safe(host)}, ${duration(secondsAgo)} ago`)}`;
  const remedy = failure.remedy === undefined ? "" : `\n    ${style.dim("→")} ${safe(failure.remedy)}`;
  return `${head}\n    ${safe(failure.message).slice(0, 300)}${remedy}\n`;
}

function workerText({ id, labels, doing, secondsSinceBeat, upSeconds }: FleetWorker, style: Style): string {
  const marks = labels.length === 0 ? "" : `  ${style.dim(`labels ${labels.map(safe).join(", ")}`)}`;
  const seen = style.dim(`up ${duration(upSeconds)}, seen ${duration(secondsSinceBeat)} ago`);
  const work = doing.length === 0 ? "waits for work" : doing.map(safe).join(", ");
  return `${style.green("●")} ${safe(id)}${marks}  ${seen}\n    ${work}\n`;
}

export const workers = renders<FleetView>({
  print: ({ workers: all, troubles, waiting, active, setAside }, { io, style }) => {
    for (const trouble of troubles) io.out(troubleText(trouble, style));
    for (const worker of all) io.out(workerText(worker, style));
    if (all.length === 0) io.out("No worker is there. Start one on any machine: thehood worker\n");
    const aside = setAside === 0 ? "" : `, ${setAside} set aside (thehood continue RUN offers one again)`;
    io.out(`${waiting} waiting, ${active} at work${aside}\n`);
  },
});

export const schedules = renders<{ readonly schedules: readonly FleetSchedule[] }>({
  print: ({ schedules: all }, { io, style }) => {
    for (const { key, cron, timezone, goal, repo } of all)
      io.out(`${key}  ${style.cyan(cron)} ${timezone}\n    ${style.bold(safe(goal))}  ${style.dim(safe(repo))}\n`);
    if (all.length === 0) io.out('No schedules. Make one: thehood schedule "0 7 * * 1-5" "goal"\n');
  },
});
