// Memory and packets say where they come from: each reference leads to the events and the report that it was made of.
import { describe, expect, it } from "vitest";
import { drive } from "../../../../tests/support/drive-review.ts";
import { canonicalMemory } from "./index.ts";

describe("[S-10] canonical memory", () => {
  it("names its run, the events, the state of the repository, the time and the method", () => {
    const { run } = drive({});
    expect(canonicalMemory(run).provenance).toEqual({
      source: `run ${run.runId}, events 1 to ${run.seq}`,
      repository: run.created.baseCommit,
      at: run.updatedAt,
      method: "fold of the event log",
    });
  });

  it("names for each kind the newest artifact, with the event that wrote it", () => {
    const play = drive({});
    const { latest } = canonicalMemory(play.run).currentRun;
    const report = play.log.find(({ event }) => event.type === "final_report_written");
    expect(latest["report"]).toMatchObject({ seq: report?.seq });
    expect(latest["progress"]).toMatchObject({ ref: play.run.packet?.ref });
    expect(latest["log"]).toBeUndefined();
  });

  it("does not remember its own run as an earlier one", () => {
    const { run } = drive({});
    const self = {
      runId: run.runId,
      goal: run.created.goal,
      state: "completed",
      updatedAt: 1,
      report: null,
    };
    expect(canonicalMemory(run, [self]).recentRuns).toEqual([]);
  });
});

describe("[R-75] the progress packet", () => {
  it("names the report that it goes with, and is named by the log after it", () => {
    const play = drive({});
    const packet = play.json(play.run.packet);
    expect(packet).toMatchObject({ kind: "progress_packet", finalReport: play.run.report?.report.ref });
    expect(play.types().indexOf("progress_packet_written")).toBeGreaterThan(
      play.types().indexOf("final_report_written"),
    );
  });
});
