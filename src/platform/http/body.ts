// The body of a request, up to a limit.
import type { IncomingMessage } from "node:http";

/** The text, or null when it is larger than allowed; then the rest is not read. */
export function readBody(request: IncomingMessage, most: number): Promise<string | null> {
  if (Number(request.headers["content-length"] ?? 0) > most) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= most) chunks.push(chunk);
      else {
        request.pause();
        resolve(null);
      }
    });
    request.once("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    request.once("error", reject);
    // After its end this changes nothing any more.
    request.once("close", () => reject(new Error("The client is gone.")));
  });
}
