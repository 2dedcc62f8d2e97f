// The live view of a run, with keys for its gate, change, log and report.
import type { Activity, RunEvent, StoredEvent } from "../../../core/contract/index.ts";
import type { FullView, RunWait } from "../../../operations/index.ts";
import { withProcessState } from "../../../operations/run-data/index.ts";
import { line, piece } from "../text/line.ts";
import { lowest, type Keys, pageLines, scrolled } from "../views/page.ts";
import { runBody, type RunShown } from "../views/run.ts";
import { type ViewDeps, equals, type ScreenView } from "./view.ts";
import { runActions } from "./run-actions.ts";

interface ShowResult {
  readonly view: FullView;
  readonly idle: boolean;
  readonly working: boolean;
  readonly waits: RunWait | null;
  readonly output: readonly string[];
  readonly activities: readonly Activity[];
}

/** The state is read at least this often: a process that died writes no event. */
const refreshMs = 1_000;

export function createRunView(deps: ViewDeps, runId: string): ScreenView {
  const { spell } = deps;
  let shown: RunShown | undefined;
  let refreshedAt = 0;
  let top = 0;

  async function refresh(): Promise<boolean> {
    const known = shown?.events ?? [];
    const from = (known.at(-1)?.seq ?? 0) + 1;
    const read = await deps.act<{ events: readonly StoredEvent<RunEvent>[] }>("logs", { runId, from });
    const fresh = read?.events ?? [];
    if (shown && fresh.length === 0 && Date.now() - refreshedAt < refreshMs) return shown.view.working;
    const result = await deps.act<ShowResult>("show", { runId });
    refreshedAt = Date.now();
    if (!result) return true;
    const { output, activities } = result;
    shown = { view: withProcessState(result.view, result), events: [...known, ...fresh], output, activities };
    return true;
  }

  const actions = runActions(deps, runId, () => shown);
  const keys = (): Keys => [
    ...(shown?.view.gate ? ([["enter", "decide"]] as const) : []),
    ...(isStopped(shown) ? ([["c", "continue"]] as const) : []),
    ["d", "change"],
    ["l", "log"],
    ...(shown?.view.state === "completed" ? ([["p", "report"]] as const) : []),
    ["↑↓", "scroll"],
    ["q", "back"],
    ["?", "help"],
  ];

  return {
    refresh,
    frame(size, now) {
      const body = shown ? runBody(shown, now, size.columns, spell) : [line(piece("…", "dim"))];
      top = Math.min(top, lowest(body.length, size));
      const note = deps.note();
      return pageLines(
        {
          title: line(piece("Run", "bold"), piece(`  ${runId}`, "dim")),
          body,
          top,
          note: note.length > 0 ? note : equals(`thehood status ${runId}`),
          keys: keys(),
        },
        size,
      );
    },
    key(key, size) {
      const lines = shown ? runBody(shown, Date.now(), size.columns, spell).length : 0;
      const moved = scrolled(top, key, lines, size);
      if (moved !== undefined) top = moved;
      else void Promise.resolve(actions[key]?.()).finally(() => deps.redraw());
    },
  };
}

const isStopped = (shown: RunShown | undefined): boolean =>
  shown !== undefined && !shown.view.working && shown.view.gate === null && shown.view.stopReason === null;
