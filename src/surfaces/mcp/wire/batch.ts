// Several messages at once, as clients of the revision 2025-03-26 may send them. No other revision has them.
import { codes, readParts, refusal, RpcError, type RpcMessage } from "./message.ts";
import type { ClientSession, Send } from "./session.ts";

const batchRevision = "2025-03-26";
const mostMessages = 100;

type Part = RpcMessage | RpcError;

/** The messages of a batch; undefined for a text that is none, or for a client that may send none. */
export function readBatch(text: string, session: ClientSession | undefined): readonly Part[] | undefined {
  if (session?.client?.protocol !== batchRevision || !text.trimStart().startsWith("[")) return undefined;
  const parts = readParts(text);
  if (parts.length === 0 || parts.length > mostMessages)
    throw new RpcError(codes.request, `A batch has 1 to ${mostMessages} messages.`);
  return parts;
}

/** The answers come together, in the order in which they are ready; everything else is sent as it comes. */
export async function receiveBatch(
  session: ClientSession,
  parts: readonly Part[],
  send: Send,
  gone?: AbortSignal,
): Promise<void> {
  const answers: object[] = [];
  const take: Send = (sent) => void ("method" in sent ? send(sent) : answers.push(sent));
  await Promise.all(
    parts.map(async (part) => {
      if (part instanceof RpcError) return take(refusal(null, part));
      if (part.kind === "request" && part.method === "initialize")
        return take(refusal(part.id, new RpcError(codes.request, "Send initialize alone, never in a batch.")));
      return session.receive(part, take, gone);
    }),
  );
  if (answers.length > 0) send(answers);
}
