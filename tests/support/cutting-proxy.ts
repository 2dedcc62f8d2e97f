// A line between a program and its database that can be cut: right away, or after the server has done what it was asked
// and before its answer arrives. It can also be slow, or swallow everything and say nothing.
import { connect, createServer, type Socket } from "node:net";

/** `closed` refuses, `silent` swallows every byte, a number delays each answer by so many milliseconds. */
export type Line = "open" | "closed" | "silent" | number;

export interface CuttingProxy {
  readonly port: number;
  /** Cuts the answer to each n-th statement that holds this text; 0 cuts none. */
  cutEvery(n: number, text: string): void;
  /** How many answers were cut. */
  cuts(): number;
  /** Cuts every line now, and refuses new ones until `open`. */
  close(): void;
  open(): void;
  /** What becomes of bytes from now on; lines that were silent are cut when it changes. */
  set(line: Line): void;
  /** Ends every line now with a reset, as a router that forgot them does. */
  reset(): void;
  remove(): Promise<void>;
}

export async function cuttingProxy(to: number): Promise<CuttingProxy> {
  let [every, seen, cut] = [0, 0, 0];
  let line: Line = "open";
  let wanted = "";
  const lines = new Set<Socket>();
  const reset = (): void => {
    for (const one of lines) one.resetAndDestroy();
  };
  const pass = (bytes: Buffer, into: Socket): void => {
    if (line === "silent") return;
    if (typeof line !== "number") return void into.write(bytes);
    setTimeout(() => into.writable && into.write(bytes), line);
  };
  const server = createServer((client) => {
    if (line === "closed") return void client.destroy();
    const upstream = connect(to, "127.0.0.1");
    let cutting = false;
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      lines.add(one);
      one.on("error", () => undefined);
      one.on("close", () => {
        lines.delete(one);
        other.destroy();
      });
    }
    client.on("data", (bytes) => {
      if (every > 0 && bytes.includes(wanted)) {
        seen += 1;
        cutting = seen % every === 0;
      }
      if (line !== "silent") upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (!cutting) return pass(bytes, client);
      cut += 1;
      client.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const set = (next: Line): void => {
    // A stream that lost bytes is no stream any more; one that was slow must not be overtaken.
    if (line === "silent" || typeof line === "number") reset();
    line = next;
    if (line === "closed") for (const one of lines) one.destroy();
  };
  return {
    port: typeof address === "object" && address ? address.port : 0,
    cutEvery: (n, text) => void ([every, wanted, seen] = [n, text, 0]),
    cuts: () => cut,
    close: () => set("closed"),
    open: () => set("open"),
    set,
    reset,
    remove: async () => {
      for (const one of lines) one.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
