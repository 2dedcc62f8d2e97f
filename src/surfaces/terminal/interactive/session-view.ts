// The view of a session: one of the gateway with its live events, or one of oracle with its answer.
import { plainLine, plainText } from "../../../core/contract/index.ts";
import type { SessionView } from "../../../core/contract/transport/index.ts";
import type { RequestedRow, SessionEventRow, ShownSandboxSession } from "../../../operations/run-data/index.ts";
import { type Line, line, piece, wrapLine, wrapText } from "../text/line.ts";
import { clockTime } from "../views/text.ts";
import type { ViewDeps, ScreenView } from "./view.ts";
import { createTextView } from "./text-view.ts";
import { answerSession, sendToSession } from "./values-view.ts";

const keysOf = (requested: readonly RequestedRow[]): string => requested.map(({ key }) => key).join(", ");

/** The line of an event: the text, the tool with its arguments, the status or the reason. */
function eventLine({ at, type, data }: SessionEventRow): Line {
  const { role, tool, args, status, message, text, result } = data;
  const given = type === "tool_start" ? JSON.stringify(args ?? {}) : undefined;
  const parts = [role, tool, given, status, message, text, result].filter((part) => typeof part === "string");
  return line(
    piece(`${clockTime(at)} `, "dim"),
    piece(`${type} `, type === "error" ? "bad" : "info"),
    plainLine(parts.join(" "), 600),
  );
}

export function createSessionView(deps: ViewDeps, id: string): ScreenView {
  let shown: ShownSandboxSession | undefined;
  const requested = (): readonly RequestedRow[] => shown?.session.requested ?? [];
  return createTextView({
    deps,
    title: "Session",
    command: `thehood gateway session ${id}`,
    actions: () => [
      ...(requested().length > 0
        ? [{ key: "a", word: "give values", act: () => answerSession(deps, id, requested()) }]
        : []),
      { key: "m", word: "message", act: () => sendToSession(deps, id) },
    ],
    lines: (columns) => [
      ...wrapLine(line(piece(plainLine(shown?.session.title ?? "…", 1_000), "bold")), columns),
      ...(requested().length > 0
        ? [line(piece(`◆ waits for values: ${plainLine(keysOf(requested()), 300)}`, "ask"))]
        : []),
      line(piece(shown ? `${shown.session.status}  ${shown.session.model}` : "", "dim")),
      ...(shown?.session.error ? wrapText(plainText(shown.session.error), columns, "bad") : []),
      [],
      // A token is a part of a message that follows.
      ...(shown?.events ?? [])
        .filter(({ type }) => type !== "token")
        .flatMap((event) => wrapLine(eventLine(event), columns, " ".repeat(9))),
    ],
    async refresh() {
      const read = await deps.act<ShownSandboxSession>("gateway session", { sessionId: id });
      const moved = read?.events.at(-1)?.seq !== shown?.events.at(-1)?.seq;
      const state = (of: ShownSandboxSession | undefined): string =>
        JSON.stringify([of?.session.status, of?.session.requested]);
      const changed = state(read) !== state(shown);
      shown = read ?? shown;
      return moved || changed;
    },
  });
}

export function createOracleView(deps: ViewDeps, { record }: SessionView, answer: string | null): ScreenView {
  const { id } = record;
  return createTextView({
    deps,
    title: `Session of oracle  ${id}`,
    command: `oracle session ${id}`,
    lines: (columns) => [
      line(piece(record.status, "bold"), piece(`  since ${record.createdAt}`, "dim")),
      [],
      ...(answer === null ? [line("There is no answer.")] : wrapText(plainText(answer), columns)),
    ],
  });
}
