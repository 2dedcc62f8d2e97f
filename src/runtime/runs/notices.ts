// Notices of the process that works: one when a gate begins to wait, one when the run has ended. They are sent while the run
// goes on, and waited for when the loop ends.
import { type Notice, type RunEvent, type SentNotice, type StoredEvent, plainLine } from "../../core/contract/index.ts";
import { type Run, isEnded } from "../../core/machine/index.ts";

/** The text of a notice: only the goal and the question, nothing else of the repository. */
export function noticeOf({ event }: StoredEvent<RunEvent>, run: Run): Omit<Notice, "link"> | undefined {
  const { runId, created, phase } = run;
  const goal = plainLine(created.goal, 160);
  if (event.type === "approval_required")
    return {
      event: "gate",
      runId,
      title: plainLine(`thehood needs you: ${event.gate.kind.replaceAll("_", " ")}`, 80),
      text: goal,
      next: `thehood approve ${runId}`,
    };
  if (!isEnded(phase)) return undefined;
  const next = phase.state === "completed" ? `thehood report ${runId}` : `thehood show ${runId}`;
  return { event: "end", runId, title: `thehood: the run is ${phase.state}`, text: goal, next };
}

export interface NoticeBox {
  event(stored: StoredEvent<RunEvent>, run: Run): void;
  /** Everything that was sent has arrived or failed. */
  settled(): Promise<void>;
}

/** Each gate and the end are sent once. A notice that could not be sent is noted, and changes nothing of the run. */
export function noticeBox(
  send: (notice: Omit<Notice, "link">) => Promise<readonly SentNotice[]>,
  note: (line: string) => void,
): NoticeBox {
  const sending: Promise<void>[] = [];
  let ended = false;
  const notSent = (by: string, problem: string): void =>
    note(`· the notice${by} was not sent: ${plainLine(problem, 200)}`);
  const deliver = async (notice: Omit<Notice, "link">): Promise<void> => {
    try {
      for (const { by, sent, problem } of await send(notice)) if (!sent) notSent(` by ${by}`, problem ?? "");
    } catch (error) {
      // Whatever it is: a run does not end for a notice.
      notSent("", error instanceof Error ? error.message : String(error));
    }
  };
  return {
    event(stored, run) {
      const notice = noticeOf(stored, run);
      if (notice === undefined || (notice.event === "end" && ended)) return;
      ended ||= notice.event === "end";
      sending.push(deliver(notice));
    },
    async settled() {
      await Promise.all(sending);
    },
  };
}
