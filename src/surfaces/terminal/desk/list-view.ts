// The list of runs on the screen.
import type { TerminalSize } from "../../../contract/index.ts";
import type { Home, HomeRow } from "../../../operations/runs/index.ts";
import { line, piece } from "../text/line.ts";
import { countsLine, emptyList, listBody } from "../views/list.ts";
import { lowest, pageLines, roomOf } from "../views/page.ts";
import { type Desk, equals, type ScreenView } from "./desk.ts";

export interface ListOptions {
  readonly desk: Desk;
  readonly first: Home;
  readonly limit: number;
  open(row: HomeRow): unknown;
}

const isSame = (one: HomeRow | undefined, other: HomeRow): boolean =>
  one?.runId === other.runId && one.repo === other.repo;

export function createListView({ desk, first, limit, open }: ListOptions): ScreenView {
  let home = first;
  let [chosen] = home.rows;
  let top = 0;
  const pick = (by: number): void => {
    const at = home.rows.findIndex((row) => isSame(chosen, row));
    chosen = home.rows[Math.min(home.rows.length - 1, Math.max(0, at + by))];
  };
  const steps = (key: string, size: TerminalSize): number | undefined => {
    const page = Math.max(1, Math.floor(roomOf(size) / 2));
    const all = home.rows.length;
    const by = { up: -1, k: -1, down: 1, j: 1, "page up": -page, b: -page, "page down": page, " ": page };
    return { ...by, home: -all, end: all, G: all }[key];
  };
  return {
    async refresh() {
      const read = await desk.act<{ home: Home }>("top", { limit });
      if (!read) return true;
      const before = JSON.stringify(home);
      ({ home } = read);
      chosen = home.rows.find((row) => isSame(chosen, row)) ?? home.rows[0];
      return before !== JSON.stringify(home) || home.rows.some(({ group }) => group === "works");
    },
    frame(size, now) {
      const body =
        home.rows.length > 0
          ? listBody(home, chosen, now, size.columns)
          : { lines: emptyList, chosenAt: [0, 0] as const };
      const [from, to] = body.chosenAt;
      top = Math.min(Math.max(top, to - roomOf(size)), from, lowest(body.lines.length, size));
      const said = desk.said();
      return pageLines(
        {
          title: line(
            piece("TheHood", "bold"),
            piece(
              home.more > 0 ? `  ${home.rows.length} of ${home.rows.length + home.more} runs` : "",
              "dim",
            ),
          ),
          aside: countsLine(home),
          body: body.lines,
          top,
          note: said.length > 0 ? said : equals(chosen ? `thehood status ${chosen.runId}` : "thehood status"),
          keys: [
            ["↑↓", "choose"],
            ["enter", "open"],
            ["o", "browser"],
            ["q", "leave"],
            ["?", "help"],
          ],
        },
        size,
      );
    },
    key(key, size) {
      const by = steps(key, size);
      if (by !== undefined) pick(by);
      else if ((key === "enter" || key === "right") && chosen) open(chosen);
      else if (key === "o") desk.browse();
      else if (key === "q" || key === "escape") desk.quit();
    },
  };
}
