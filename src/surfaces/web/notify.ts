// Notifies the user when a gate begins to wait: a line and a bell in the terminal, a notification on the desktop, a call of the
// user's webhook. Each gate is reported once; a webhook that fails is reported in the terminal.
import { setTimeout as pause } from "node:timers/promises";
import { FailureError, plainLine } from "../../core/contract/index.ts";
import { postAgain, showOnDesktop } from "../../platform/notice/index.ts";
import type { Home, HomeRow } from "../../operations/run-data/index.ts";

export interface Notices {
  /** Ring the bell and notify on the desktop. */
  readonly desktop: boolean;
  /** The path of a program, or undefined if there is none that may be started. */
  find(name: string): string | undefined;
  readonly webhook: string | null;
  say(line: string): void;
}

const pollMs = 2_000;
/** A webhook that cannot be reached or answers 429 or 5xx is called again after these waits. */
const waits = [1_000, 5_000, 30_000];

/** The text of a notification: only the goal and the question, nothing else of the repository. */
const noteOf = ({ goal, why, risk }: HomeRow): { title: string; text: string } => ({
  title: plainLine(`thehood needs you (${risk ?? "some"} risk)`, 80),
  text: plainLine(`${why}: ${goal}`, 200),
});

const waited = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });

async function deliver(url: string, row: HomeRow, say: Notices["say"], signal: AbortSignal): Promise<void> {
  const { runId, goal, gate, risk, why, since } = row;
  const body = JSON.stringify({ event: "waiting", runId, goal, gate, risk, why, since });
  const { problem } = await postAgain(url, body, { "content-type": "application/json" }, waits, signal);
  if (problem !== null && !signal.aborted) say(`The webhook call failed: ${plainLine(problem, 200)}.`);
}

/** A store that is away or full for a moment ends no server: it is read again at the next turn. */
function unlessFault(error: unknown): undefined {
  if (!(error instanceof FailureError)) throw error;
  return undefined;
}

/** Polls until the signal fires. A gate that waits at the start is not reported: the user opens the page at that moment. */
export async function notify(
  readHome: () => Promise<Home>,
  notices: Notices,
  platform: NodeJS.Platform,
  signal: AbortSignal,
): Promise<void> {
  const { desktop, webhook, say } = notices;
  const waiting = (home: Home) => home.rows.filter(({ group, gate }) => group === "waits" && gate !== null);
  let reported: Set<string | undefined> | undefined;
  for (; !signal.aborted; await waited(pollMs, signal)) {
    const home = await readHome().catch(unlessFault);
    if (home === undefined) continue;
    const now = waiting(home);
    const known = (reported ??= new Set(now.map(({ gate }) => gate?.id)));
    for (const row of now.filter(({ gate }) => !known.has(gate?.id))) {
      known.add(row.gate?.id);
      const { title, text } = noteOf(row);
      say(`${desktop ? "\u0007" : ""}◆ ${title}: ${text}`);
      // A machine without a desktop has no program for it; the terminal shows the line already.
      if (desktop) showOnDesktop(title, text, notices.find, platform);
      // Not awaited: a slow webhook must not delay other notices.
      if (webhook !== null) void deliver(webhook, row, say, signal);
    }
  }
}
