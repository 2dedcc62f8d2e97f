// The gateway's sessions and their events, for a person.
import type { SessionEventRow, SessionRow, ShownSandboxSession } from "../../../operations/run-data/index.ts";
import type { Style } from "../../argv/index.ts";
import { safe, sessionsText } from "./list.ts";
import { renders } from "./view.ts";

interface Listed {
  readonly sessions: readonly SessionRow[];
}

export const sessions = renders<Listed>({
  print: (listed, { io, style }) =>
    io.out(sessionsText(listed.sessions, style) || 'No sessions yet. Start one: thehood gateway new --message "…"\n'),
});

const most = 400;

/** The words of an event: the text, the tool with its arguments, the status or the reason. */
function wordsOf({ type, data }: SessionEventRow): string {
  const { role, text, tool, args, status, message, result, token } = data;
  const shown = type === "tool_start" ? JSON.stringify(args ?? {}) : undefined;
  return [role, tool, shown, status, message, text, result, token].filter((part) => typeof part === "string").join(" ");
}

function eventText(event: SessionEventRow, style: Style): string {
  const time = style.dim(new Date(event.at).toISOString().slice(11, 19));
  const words = safe(wordsOf(event)).slice(0, most);
  return `${time} ${String(event.seq).padStart(4)} ${event.type === "error" ? style.red(event.type) : style.cyan(event.type)} ${words}\n`;
}

export const session = renders<ShownSandboxSession>({
  print: ({ session: row, events }, { io, style }) => {
    io.out(sessionsText([row], style));
    for (const event of events) io.out(eventText(event, style));
  },
});

export const logs = renders<AsyncIterable<SessionEventRow>>({
  async print(events, { io, style, json }) {
    for await (const event of events) {
      if (json) io.out(`${JSON.stringify(event)}\n`);
      // Its message is beside the tokens.
      else if (event.type !== "token") io.out(eventText(event, style));
    }
  },
});
