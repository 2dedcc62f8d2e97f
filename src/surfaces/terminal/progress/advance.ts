// Moves a run in this process while a person looks on, and asks them at each gate it comes to.
import {
  advanceHere,
  type MoveOptions,
  type RepositoryRuns,
  type RunStop,
} from "../../../operations/index.ts";
import type { Opening } from "../interactive/open.ts";
import { plainLine } from "../../../core/contract/index.ts";
import { askAtGate } from "./ask.ts";
import { openLive } from "./live-view.ts";
import { createStory } from "./story.ts";

export interface Advancing extends Opening {
  readonly runs: RepositoryRuns;
  readonly runId: string;
  readonly options: MoveOptions;
  tell(line: string): void;
  interrupt(): void;
}

export async function advanceLive({
  runs,
  runId,
  options,
  tell,
  interrupt,
  ...opening
}: Advancing): Promise<RunStop> {
  const { device, color, context } = opening;
  const { signal } = context;
  const story = options.toldByCaller ? undefined : createStory();
  const busy = (message: string) => tell(`· ${message} It does this too.`);
  for (;;) {
    const stop = await moved();
    if (stop !== "approval_required" || options.toldByCaller || signal.aborted) return stop;
    const asked = await askAtGate(opening, runId);
    if (!asked || asked.answer === null) return stop;
    tell(`✔ you: ${asked.answer} “${plainLine(asked.title, 200)}”`);
  }
  async function moved(): Promise<RunStop> {
    using live = openLive({ device, color, runs, runId, interrupt, story });
    return await advanceHere(runs, runId, options, { signal, watcher: live.watcher, busy });
  }
}
