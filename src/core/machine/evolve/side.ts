// Side tasks, and the reports that are written at the end: nothing here moves the loop.
import type { RunEventType } from "../../contract/index.ts";
import type { Run, SideTask } from "../state/index.ts";
import { type EvolveTable, spend } from "./table.ts";

function withTask(run: Run, sideId: string | null, change: Partial<SideTask>): Run {
  const tasks = run.side.tasks.map((task) => (task.job.id === sideId ? { ...task, ...change } : task));
  return { ...run, side: { ...run.side, tasks } };
}

export const side = {
  side_requested(run, { job, by }, at) {
    const task: SideTask = {
      ...at,
      job,
      by,
      callId: null,
      risk: null,
      allowed: false,
      begun: false,
      command: null,
      end: null,
    };
    return {
      ...run,
      side: { ...run.side, tasks: [...run.side.tasks, task] },
      counters: { ...run.counters, side: run.counters.side + 1 },
    };
  },
  fanout_requested: (run, { groupId, items, maxItems }, at) => ({
    ...run,
    side: { ...run.side, fanouts: [...run.side.fanouts, { ...at, groupId, items, maxItems, end: null }] },
    counters: { ...run.counters, side: run.counters.side + 1 },
  }),
  side_command_classified: (run, event) =>
    withTask(run, event.sideId, { risk: { class: event.class, why: event.why } }),
  command_begun: (run, { sideId }) => withTask(run, sideId, { begun: true }),
  command_executed: (run, { sideId, command, tookMs }, at) =>
    spend(withTask(run, sideId, { command: { ...command, ...at } }), { ms: tookMs }),
  side_completed(run, { sideId, outcome, why, artifact }, at) {
    const ended = withTask(run, sideId, { end: { outcome, why, artifact, ...at } });
    const { gate } = ended.side;
    return gate?.sideId === sideId ? { ...ended, side: { ...ended.side, gate: null } } : ended;
  },
  agent_fanout_completed: (run, { groupId, status, artifact }, at) => ({
    ...run,
    side: {
      ...run.side,
      fanouts: run.side.fanouts.map((group) =>
        group.groupId === groupId ? { ...group, end: { status, artifact, ...at } } : group,
      ),
    },
  }),
  reconciliation_completed: (run, { sideId, artifact, status }, at) => ({
    ...run,
    side: { ...run.side, reconciled: { sideId, artifact, status, ...at } },
  }),
  agent_board_written: (run, { artifact }) => ({ ...run, board: artifact }),
  final_report_written: (run, { report, markdown, proven, unproven }) => ({
    ...run,
    report: { report, markdown, proven, unproven },
  }),
  progress_packet_written: (run, { packet }) => ({ ...run, packet }),
  request_opened: (run, { request }, at) => ({ ...run, request: { ...request, ...at } }),
  ci_recorded: (run, { ci }, at) => ({ ...run, ci: { ...ci, ...at } }),
  workspace_retired: (run, { keptRefs }) => ({ ...run, retired: keptRefs }),
} satisfies Partial<EvolveTable<RunEventType>>;
