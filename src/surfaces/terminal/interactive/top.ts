// The screen of all runs. A decision here moves a run in a process of its own, which outlives the screen.
import { advanceDetached, type Context } from "../../../operations/index.ts";
import type { Home } from "../../../operations/run-data/index.ts";
import { createListView } from "./list-view.ts";
import { type Opening, openViews } from "./open.ts";

export interface TopOptions extends Opening {
  readonly home: Home;
  readonly limit: number;
}

/** So many sessions of oracle are listed, the newest ones. */
const oracleSessions = 10;

/** The person at the screen: runs move beside it. */
function atScreen(context: Context): Context {
  const own = {
    actor: { value: { kind: "person", surface: "tui" } },
    tell: { value: () => undefined },
    advance: { value: advance },
  };
  const there = Object.create(context, own) as Context;
  function advance(...[runs, runId, options]: Parameters<Context["advance"]>) {
    return advanceDetached(runs, runId, { ...options, waitSeconds: 0 }, there);
  }
  return there;
}

export async function openTop({ home, limit, ...opening }: TopOptions): Promise<void> {
  const context = atScreen(opening.context);
  await openViews({ ...opening, context }, (desk) =>
    createListView({
      desk,
      first: home,
      limit,
      oracle: async () => (await context.ports.oracleSessions()).slice(0, oracleSessions),
      async open(chosen) {
        if (chosen.kind === "run") {
          const { createRunView } = await import("./run-view.ts");
          return desk.open(createRunView(desk.at(chosen.repo), chosen.id));
        }
        const views = await import("./session-view.ts");
        if (chosen.kind === "session") return desk.open(views.createSessionView(desk, chosen.id));
        const read = await desk.attempt(() => context.ports.oracleSession(chosen.id));
        return read ? desk.open(views.createOracleView(desk, read.view, read.answer)) : undefined;
      },
    }),
  );
}
