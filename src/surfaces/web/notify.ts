// Tells the person when something begins to wait for them: a line and a bell in the terminal, a note on the desktop, a
// message to an address of their own. Each gate is told once; one that cannot be told is said in the terminal.
import { spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { plainLine } from "../../contract/index.ts";
import type { Home, HomeRow } from "../../operations/runs/index.ts";

export interface Notices {
  /** Ring and note on the desktop. */
  readonly desktop: boolean;
  readonly webhook: string | null;
  say(line: string): void;
}

const lookMs = 2_000;
const answerMs = 10_000;

/** The words of a note; nothing of the repository but the goal and the question. */
const noteOf = ({ goal, why, risk }: HomeRow): { title: string; text: string } => ({
  title: plainLine(`thehood waits for you (${risk ?? "some"} risk)`, 80),
  text: plainLine(`${why}: ${goal}`, 200),
});

function desktopNote(title: string, text: string, platform: NodeJS.Platform): void {
  // Words go as arguments of their own, so that nothing in them is read as a program.
  const [program, ...words] =
    platform === "darwin"
      ? [
          "osascript",
          "-e",
          "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run",
          title,
          text,
        ]
      : ["notify-send", "--app-name=thehood", "--", title, text];
  const child = spawn(program ?? "", words, { stdio: "ignore", detached: true });
  // A machine without a desktop has no such program; the terminal has told already.
  child.once("error", () => undefined);
  child.unref();
}

async function post(url: string, row: HomeRow, signal: AbortSignal): Promise<string | null> {
  const { runId, goal, gate, risk, why, since } = row;
  const body = JSON.stringify({ event: "waiting", runId, goal, gate, risk, why, since });
  const headers = { "content-type": "application/json" };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
  try {
    const answer = await fetch(url, { method: "POST", headers, body, signal: limit, redirect: "error" });
    return answer.ok ? null : `it answered ${answer.status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Looks until the signal fires. A gate that waits already at the start is not told: the person is just opening the page. */
export async function notify(
  look: () => Promise<Home>,
  { desktop, webhook, say }: Notices,
  platform: NodeJS.Platform,
  signal: AbortSignal,
): Promise<void> {
  const waiting = (home: Home) => home.rows.filter(({ group, gate }) => group === "waits" && gate !== null);
  const told = new Set(waiting(await look()).map(({ gate }) => gate?.id));
  while (!signal.aborted) {
    await pause(lookMs, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (signal.aborted) return;
    const fresh = waiting(await look()).filter(({ gate }) => !told.has(gate?.id));
    for (const row of fresh) {
      told.add(row.gate?.id);
      const { title, text } = noteOf(row);
      say(`${desktop ? "\u0007" : ""}◆ ${title}: ${text}`);
      if (desktop) desktopNote(title, text, platform);
      const problem = webhook === null ? null : await post(webhook, row, signal);
      if (problem !== null) say(`The webhook was not told: ${plainLine(problem, 200)}.`);
    }
  }
}
