// Advances a run in this process with a live view, and asks the user at each gate.
import {
  advanceHere,
  type MoveOptions,
  type RepositoryRuns,
  type RunStop,
  type Context,
  type GateDelivery,
} from "../../../operations/index.ts";
import { type Opening, openViews } from "../interactive/open.ts";
import { fail, plainLine, type GateAnswer } from "../../../core/contract/index.ts";
import { openLive } from "./live-view.ts";
import { createStory } from "./story.ts";
import type { Decided, GateDetails } from "../../../operations/run-data/index.ts";
import { performNamed } from "../interactive/view.ts";
import { firstGate } from "../interactive/crew.ts";
import { createGateView } from "../interactive/gate-view.ts";

export interface Advancing extends Opening {
  readonly runs: RepositoryRuns;
  readonly runId: string;
  readonly options: MoveOptions;
  tell(line: string): void;
  interrupt(): void;
}

export async function advanceLive({ runs, runId, options, tell, interrupt, ...opening }: Advancing): Promise<RunStop> {
  const { device, color, context } = opening;
  const { signal } = context;
  const story = options.reportedByCaller ? undefined : createStory();
  const busy = (message: string) => tell(`· ${message} It does this too.`);
  for (;;) {
    const stop = await moved();
    if (stop !== "approval_required" || options.reportedByCaller || signal.aborted) return stop;
    const asked = await askAtGate(opening, runId);
    if (!asked || asked.answer === null) return stop;
    tell(`✔ you: ${asked.answer} “${plainLine(asked.title, 200)}”`);
  }
  async function moved(): Promise<RunStop> {
    using live = openLive({ device, color, runs, runId, interrupt, story });
    return await advanceHere(runs, runId, options, { signal, watcher: live.watcher, busy });
  }
}

export interface AskedGate {
  readonly title: string;
  /** Null if the user decides later. */
  readonly answer: GateAnswer | null;
}

/** The context of the user at the screen. The answer is printed after the screen is closed. */
const atScreen = (context: Context): Context =>
  Object.create(context, {
    actor: { value: { kind: "person", surface: "tui" } },
    tell: { value: () => undefined },
    // The caller advances the run, when the screen is closed.
    advance: { value: async (): Promise<RunStop> => "approval_required" },
  }) as Context;

/** Shows the gate of the run; the answer is recorded, and the caller advances the run. */
export async function askAtGate(
  opening: Opening,
  runId: string,
  delivery: GateDelivery = {},
): Promise<AskedGate | undefined> {
  const context = atScreen(opening.context);
  const open = (await performNamed("gate", { runId }, context)) as GateDetails;
  const gate = firstGate(open);
  if (!gate) return undefined;
  const names = delivery.toBranch !== undefined || delivery.pullRequest === true;
  if (names && !gate.summary?.branch)
    fail("invalid_input", `“${plainLine(gate.title, 200)}” takes no branch: no result is to be approved there.`, {
      remedy: "Approve without --branch and --pr; the work can be committed on a branch after the run",
    });
  let answer: GateAnswer | null = null;
  let again = false;
  await openViews({ ...opening, context }, (deps) => {
    const decided = (done: Decided) => {
      ({ answer } = done);
      deps.quit();
    };
    return createGateView({
      deps,
      open,
      gate,
      delivery: names ? delivery : undefined,
      restated: delivery,
      recordOnly: true,
      decided,
      later: () => deps.quit(),
      reopen() {
        again = true;
        deps.quit();
      },
    });
  });
  if (again) return askAtGate(opening, runId, delivery);
  return { title: gate.title, answer };
}
