// Asks for the values that the agent of a session waits for, one after the other. A secret is not shown while it is typed.
import { plainLine } from "../../../core/contract/index.ts";
import type { RequestedRow } from "../../../operations/run-data/index.ts";
import { type Line, line, piece } from "../text/line.ts";
import { pageLines } from "../views/page.ts";
import { type ViewDeps, equals, type ScreenView } from "./view.ts";

const shownValue = ({ type }: RequestedRow, value: string): string =>
  type === "env" ? plainLine(value, 300) : "•".repeat([...value].length);

export function createValuesView(deps: ViewDeps, id: string, requested: readonly RequestedRow[]): ScreenView {
  const typed = new Map<string, string>();
  let at = 0;
  let busy = false;
  const now = (): RequestedRow | undefined => requested[at];

  async function submit(): Promise<void> {
    const values = [...typed].filter(([, value]) => value !== "").map(([key, value]) => `${key}=${value}`);
    busy = true;
    const input = {
      sessionId: id,
      values,
      stored: [],
      keep: false,
      decline: false,
      message: "Configuration submitted.",
    };
    const done = await deps.act<{ readonly waitsFor: readonly string[] }>("gateway answer", input);
    busy = false;
    if (done) {
      deps.back();
      const missing = done.waitsFor.join(", ");
      deps.showNote(
        missing === ""
          ? line(piece("✔ the agent has the values", "good"))
          : line(piece(`still missing: ${plainLine(missing, 300)}`, "ask")),
      );
    } else at = 0;
    deps.redraw();
  }

  const rowOf = (asked: RequestedRow, index: number): Line[] => [
    line(
      piece(index === at ? "❯ " : "  ", "chosen"),
      piece(`${asked.key}  `, index === at ? "chosen" : "bold"),
      shownValue(asked, typed.get(asked.key) ?? ""),
      index === at ? piece("▏", "ask") : "",
      asked.required === false ? piece("  optional", "dim") : "",
    ),
    ...(asked.description ? [line(piece(`    ${plainLine(asked.description, 300)}`, "dim"))] : []),
  ];

  return {
    typing: () => true,
    frame: (size) =>
      pageLines(
        {
          title: line(piece("Values for the agent", "bold"), piece(`  ${id}`, "dim")),
          body: requested.flatMap(rowOf),
          top: 0,
          note: busy
            ? line(piece("…", "dim"))
            : deps.note().length > 0
              ? deps.note()
              : equals(`thehood gateway answer ${id}`),
          keys: [
            ["enter", at === requested.length - 1 ? "give the values" : "next"],
            ["↑↓", "choose"],
            ["escape", "not now"],
          ],
        },
        size,
      ),
    key(key) {
      const asked = now();
      if (busy || !asked) return;
      const value = typed.get(asked.key) ?? "";
      if (key === "escape") deps.back();
      else if (key === "enter" && at === requested.length - 1) void submit();
      else if (key === "enter" || key === "down" || key === "tab") at = Math.min(at + 1, requested.length - 1);
      else if (key === "up") at = Math.max(0, at - 1);
      else if (key === "backspace") typed.set(asked.key, [...value].slice(0, -1).join(""));
      else if ([...key].length === 1) typed.set(asked.key, value + key);
    },
  };
}

/** Opens the values view if the session waits for values. */
export function answerSession(deps: ViewDeps, id: string, requested: readonly RequestedRow[]): void {
  if (requested.length === 0) deps.showNote(line("The agent of this session waits for no values."));
  else deps.open(createValuesView(deps, id, requested));
}

/** Writes a message in the user's editor and sends it. */
export async function sendToSession(deps: ViewDeps, id: string): Promise<void> {
  const message = (await deps.edit(""))?.trim() ?? "";
  if (message === "") return deps.showNote(line("Nothing was written: no message was sent."));
  const done = await deps.act("gateway send", { sessionId: id, message, wait: false });
  if (done) deps.showNote(line(piece("✔ the agent has the message", "good")));
  return deps.redraw();
}
