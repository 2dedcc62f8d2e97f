// The screen of all runs. A decision here advances a run in a separate process, which outlives the screen.
import { advanceDetached, type Context } from "../../../operations/index.ts";
import type { Home, ShownSandboxSession } from "../../../operations/run-data/index.ts";
import { createListView } from "./list-view.ts";
import { type Opening, openViews } from "./open.ts";

export interface TopOptions extends Opening {
  readonly home: Home;
  readonly limit: number;
}

/** The number of listed sessions of oracle, the newest ones. */
const oracleSessions = 10;

/** The context of the user at the screen: runs advance in other processes. */
function atScreen(context: Context): Context {
  const own = {
    actor: { value: { kind: "person", surface: "tui" } },
    tell: { value: () => undefined },
    advance: { value: advance },
  };
  const screenContext = Object.create(context, own) as Context;
  function advance(...[runs, runId, options]: Parameters<Context["advance"]>) {
    return advanceDetached(runs, runId, { ...options, waitSeconds: 0 }, screenContext);
  }
  return screenContext;
}

export async function openTop({ home, limit, ...opening }: TopOptions): Promise<void> {
  const context = atScreen(opening.context);
  await openViews({ ...opening, context }, (deps) =>
    createListView({
      deps,
      first: home,
      limit,
      oracle: async () => (await context.ports.oracleSessions()).slice(0, oracleSessions),
      async session(id, key) {
        const { answerSession, sendToSession } = await import("./values-view.ts");
        if (key === "m") return sendToSession(deps, id);
        const read = await deps.act<ShownSandboxSession>("gateway session", { sessionId: id });
        return read ? answerSession(deps, id, read.session.requested ?? []) : undefined;
      },
      async open(chosen) {
        if (chosen.kind === "run") {
          const { createRunView } = await import("./run-view.ts");
          return deps.open(createRunView(deps.at(chosen.repo), chosen.id));
        }
        const views = await import("./session-view.ts");
        if (chosen.kind === "session") return deps.open(views.createSessionView(deps, chosen.id));
        const read = await deps.attempt(() => context.ports.oracleSession(chosen.id));
        return read ? deps.open(views.createOracleView(deps, read.view, read.answer)) : undefined;
      },
    }),
  );
}
