// The end of a conversation: a cancelled run cancels the request at the provider; after a timeout the answer can be fetched later.
import type { Conversation, SendHooks } from "../../../core/contract/transport/index.ts";
import { withDeadlineAfterAbort, type RunDeadline } from "./deadline.ts";

const closingMs = 2_000;

export async function closeConversation(
  conversation: Conversation,
  { cause }: RunDeadline,
  hooksOf: (signal: AbortSignal) => SendHooks,
): Promise<void> {
  const soon = AbortSignal.timeout(closingMs);
  const hooks = hooksOf(soon);
  const report = (error: unknown) =>
    hooks.log(`closing the conversation: ${error instanceof Error ? error.message : String(error)}`);
  if (cause === "interrupted" && conversation.abandon)
    await withDeadlineAfterAbort(conversation.abandon(hooks), soon).catch(report);
  await withDeadlineAfterAbort(conversation.close(), soon).catch(report);
}
