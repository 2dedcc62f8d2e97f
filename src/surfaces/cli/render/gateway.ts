// The gateway's sessions and their events, for a person.
import type { operations } from "../../../operations/index.ts";
import type { SessionEventRow, SessionRow, ShownSandboxSession } from "../../../operations/run-data/index.ts";
import { safe } from "./list.ts";
import { sessionsText } from "./sessions-text.ts";
import type { Renderer, Style } from "../../argv/index.ts";
import { actions, answered, config, diff, evidence, ledger, sent, snapshots } from "./gateway-work.ts";
import { renders } from "./view.ts";

type OperationName = (typeof operations)[number]["name"];

interface Listed {
  readonly sessions: readonly SessionRow[];
}

const sessions = renders<Listed>({
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

const session = renders<ShownSandboxSession>({
  print: ({ session: row, events }, { io, style }) => {
    io.out(sessionsText([row], style));
    for (const event of events) io.out(eventText(event, style));
  },
});

const logs = renders<AsyncIterable<SessionEventRow>>({
  async print(events, { io, style, json }) {
    for await (const event of events) {
      if (json) io.out(`${JSON.stringify(event)}\n`);
      // Its message is beside the tokens.
      else if (event.type !== "token") io.out(eventText(event, style));
    }
  },
});

/** The renderers of the gateway's commands, by name; a result without one is shown as data. */
export const gatewayRenderers: Readonly<Record<string, Renderer | undefined>> = {
  "gateway sessions": sessions,
  "gateway session": session,
  "gateway logs": logs,
  "gateway send": sent,
  "gateway answer": answered,
  "gateway evidence": evidence,
  "gateway snapshots": snapshots,
  "gateway diff": diff,
  "gateway ledger": ledger,
  "gateway config": config,
  "gateway actions": actions,
} satisfies Partial<Record<OperationName, Renderer>>;
