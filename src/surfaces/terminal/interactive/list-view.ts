// The list of runs and sessions on the screen.
import type { TerminalSize } from "../../../core/contract/index.ts";
import type { ListedSession } from "../../../core/contract/transport/index.ts";
import type { Home } from "../../../operations/run-data/index.ts";
import { line, piece } from "../text/line.ts";
import { createListActions } from "./list-actions.ts";
import { countsLine, emptyList, entriesOf, listBody, sameThing, type Opens } from "../views/list.ts";
import { lowest, pageLines, roomOf } from "../views/page.ts";
import { type ViewDeps, equals, type ScreenView } from "./view.ts";

export interface ListOptions {
  readonly deps: ViewDeps;
  readonly first: Home;
  readonly limit: number;
  /** The newest sessions of oracle; read after the first frame. */
  oracle(): Promise<readonly ListedSession[]>;
  open(chosen: Opens): unknown;
  /** Gives the chosen session values, or writes its agent a message. */
  session(id: string, key: "a" | "m"): unknown;
}

/** Sessions of oracle are files: they are read less often. */
const oracleMs = 10_000;

export function createListView({ deps, first, limit, oracle, open, session }: ListOptions): ScreenView {
  let home = first;
  let listed: readonly ListedSession[] = [];
  let listedAt = 0;
  let chosen: Opens | undefined = entriesOf(home, [], 0)[0]?.opens;
  let top = 0;
  const actions = createListActions(deps);
  const everything = (now: number) => {
    const wanted = actions.filter().toLowerCase();
    const all = entriesOf(home, listed, now);
    return wanted === "" ? all : all.filter(({ title, why }) => `${title} ${why}`.toLowerCase().includes(wanted));
  };
  const chosenRow = () => home.rows.find(({ runId, repo }) => sameThing(chosen, { kind: "run", id: runId, repo }));
  const pick = (by: number): void => {
    const entries = everything(0);
    const at = entries.findIndex(({ opens }) => sameThing(chosen, opens));
    chosen = entries[Math.min(entries.length - 1, Math.max(0, at + by))]?.opens;
  };
  const steps = (key: string, size: TerminalSize): number | undefined => {
    const page = Math.max(1, Math.floor(roomOf(size) / 2));
    const all = home.rows.length + home.sessions.length + listed.length;
    const by = {
      up: -1,
      k: -1,
      down: 1,
      j: 1,
      "page up": -page,
      "ctrl-u": -page,
      b: -page,
      "page down": page,
      " ": page,
    };
    return { ...by, home: -all, end: all, G: all }[key];
  };
  return {
    typing: () => actions.typing(),
    async refresh() {
      const read = await deps.act<{ home: Home }>("top", { limit });
      if (!read) return true;
      const before = JSON.stringify([home, listed.map(({ id, view }) => [id, view?.record.status])]);
      ({ home } = read);
      if (Date.now() - listedAt > oracleMs) {
        listed = await oracle();
        listedAt = Date.now();
      }
      const entries = everything(0);
      if (!entries.some(({ opens }) => sameThing(chosen, opens))) chosen = entries[0]?.opens;
      const after = JSON.stringify([home, listed.map(({ id, view }) => [id, view?.record.status])]);
      return before !== after || home.rows.some(({ group }) => group === "works");
    },
    frame(size, now) {
      const entries = everything(now);
      const body =
        entries.length > 0
          ? listBody(entries, chosen, size.columns, home.repos)
          : { lines: emptyList, chosenAt: [0, 0] as const };
      const [from, to] = body.chosenAt;
      top = Math.min(Math.max(top, to - roomOf(size)), from, lowest(body.lines.length, size));
      const note = deps.note();
      const command = entries.find(({ opens }) => sameThing(chosen, opens))?.command ?? "thehood status";
      const hidden = home.more > 0 ? `  ${home.rows.length} of ${home.rows.length + home.more} runs` : "";
      return pageLines(
        {
          title: line(piece("TheHood", "bold"), piece(hidden, "dim")),
          aside: countsLine(home),
          body: body.lines,
          top,
          note: actions.note() ?? (note.length > 0 ? note : equals(command)),
          keys: actions.asks() ?? [
            ["↑↓", "choose"],
            ["enter", "open"],
            ...(chosen?.kind === "session"
              ? ([
                  ["a", "give values"],
                  ["m", "message"],
                ] as const)
              : []),
            ...actions.keys(chosenRow(), home.rows),
            ["o", "browser"],
            ["q", "leave"],
            ["?", "help"],
          ],
        },
        size,
      );
    },
    key(key, size) {
      if (actions.takes(key, chosenRow(), home.rows)) {
        if (!everything(0).some(({ opens }) => sameThing(chosen, opens))) chosen = everything(0)[0]?.opens;
        return;
      }
      const by = steps(key, size);
      if (by !== undefined) pick(by);
      else if ((key === "enter" || key === "right") && chosen)
        void Promise.resolve(open(chosen)).finally(() => deps.redraw());
      else if (chosen?.kind === "session" && (key === "a" || key === "m"))
        void Promise.resolve(session(chosen.id, key)).finally(() => deps.redraw());
      else if (key === "o") deps.browse();
      else if (key === "q" || key === "escape") deps.quit();
    },
  };
}
