// The body of a request, up to a limit.
import type { IncomingMessage } from "node:http";

/** The text, or null when it is larger than allowed; then the rest is not read. */
export async function readBody(request: IncomingMessage, most: number): Promise<string | null> {
  if (Number(request.headers["content-length"] ?? 0) > most) return null;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
