// Runs a program that is talked with: it is ended when the conversation is, or when the call is stopped.
import type { CommandOutcome, CommandRequest, CommandRunner } from "../../core/contract/index.ts";
import type { AgentConversation } from "./program.ts";

/** How long a program may take to exit, and to react to a cancellation. */
const leaveMs = 500;
const cancelMs = 250;

export async function runTalking(
  runner: CommandRunner,
  request: CommandRequest,
  conversation: AgentConversation,
  signal: AbortSignal,
): Promise<CommandOutcome> {
  const stop = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const endIn = (ms: number) => timers.push(setTimeout(() => stop.abort(), ms));
  const cancel = () => {
    conversation.cancel();
    endIn(cancelMs);
  };
  if (signal.aborted) stop.abort();
  signal.addEventListener("abort", cancel, { once: true });
  let talk: Promise<void> | undefined;
  try {
    const outcome = await runner.run({
      ...request,
      signal: stop.signal,
      converse(input) {
        talk = conversation.begin(input).finally(() => {
          input.end();
          endIn(leaveMs);
        });
        // Awaited below, where a fault of ours comes out; until then no promise is left without a listener.
        talk.catch(() => undefined);
      },
      onOutput(stream, chunk) {
        request.onOutput?.(stream, chunk);
        if (stream === "stdout") conversation.onOutput(chunk);
      },
    });
    conversation.over();
    await talk;
    return { ...outcome, ended: endOf(outcome, signal.aborted && !conversation.reply().finished) };
  } finally {
    signal.removeEventListener("abort", cancel);
    timers.forEach(clearTimeout);
  }
}

/** Only the caller knows whether it was stopped: after a conversation the program is always ended by us. */
function endOf({ ended }: CommandOutcome, unwanted: boolean): CommandOutcome["ended"] {
  if (unwanted) return "aborted";
  return ended === "aborted" ? "exited" : ended;
}
