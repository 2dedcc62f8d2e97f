// The debugging port of a browser that the user started and told us to use: on this machine only, and only our own tabs in it.
import { PassThrough } from "node:stream";
import { frames } from "../cdp/frames.ts";
import type { BrowserProcess } from "./launch.ts";

async function addressOf(port: number): Promise<string> {
  const reply = await fetch(`http://127.0.0.1:${port}/json/version`, { signal: AbortSignal.timeout(5_000) });
  const { webSocketDebuggerUrl: url } = (await reply.json()) as { webSocketDebuggerUrl?: string };
  // The browser tells the name that it was asked by; nothing else may stand there.
  if (url === undefined || new URL(url).host !== `127.0.0.1:${port}`)
    throw new Error(`port ${port} is no debugging port of a browser`);
  return url;
}

/** Messages end with a zero byte here, as they do on a pipe; the socket has frames of its own. */
export function attachToBrowser(port: number): BrowserProcess {
  const input = new PassThrough();
  /** Holds what is said before the connection is there. */
  const out = new PassThrough();
  let ended: string | null = null;
  const listeners: ((why: string) => void)[] = [];
  const end = (why: string) => {
    if (ended !== null) return;
    ended = why;
    for (const listener of listeners) listener(why);
  };
  const opened = (async () => {
    const socket = new WebSocket(await addressOf(port));
    socket.addEventListener("message", ({ data }) => input.write(`${String(data)}\0`));
    socket.addEventListener("close", () => end("the browser closed the connection"));
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener("open", () => resolve(), { once: true });
      socket.addEventListener("error", () => reject(new Error(`port ${port} takes no connection`)), {
        once: true,
      });
    });
    out.on(
      "data",
      frames(0, (message) => socket.send(message)),
    );
    return socket;
  })();
  opened.catch((error: unknown) => end(`the browser could not be reached: ${String(error)}`));
  return {
    own: false,
    pid: null,
    input,
    out,
    onEnd: (listener) => void (ended === null ? listeners.push(listener) : listener(ended)),
    get alive() {
      return ended === null;
    },
    // The browser is the user's: only the connection ends.
    kill: () => void opened.then((socket) => socket.close()).catch(() => undefined),
  };
}
