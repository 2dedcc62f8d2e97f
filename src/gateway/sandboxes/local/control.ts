// Speaks with the first program of a box, over its socket.
import { request } from "node:http";
import { fail } from "../../../core/contract/index.ts";
import type { ExecOptions, ExecResult } from "../port.ts";
import { closeSync, constants, fstatSync, openSync } from "node:fs";

const usual = { timeoutMs: 60_000, maxBytes: 16 << 20 } as const;

/** `mostBytes`: the program at the other end is in the hands of the box, and may say anything for ever. */
export function askBox(
  socketPath: string,
  path: string,
  body: object,
  timeoutMs: number,
  mostBytes = 1 << 20,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let size = 0;
    const sent = request({ socketPath, path, method: "POST", timeout: timeoutMs }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > mostBytes) sent.destroy(new Error("the sandbox says too much"));
        else chunks.push(chunk);
      });
      answer.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
      answer.on("error", reject);
    });
    sent.once("timeout", () => sent.destroy(new Error("the sandbox did not answer")));
    sent.once("error", reject);
    sent.end(JSON.stringify(body));
  });
}

export async function execIn(
  socketPath: string,
  argv: readonly string[],
  options: ExecOptions = {},
): Promise<ExecResult> {
  const { input, timeoutMs = usual.timeoutMs, maxBytes = usual.maxBytes, ...more } = options;
  const wish = {
    ...more,
    argv,
    timeoutMs,
    maxBytes,
    ...(input === undefined ? {} : { input: Buffer.from(input).toString("base64") }),
  };
  try {
    const told = JSON.parse(
      await askBox(socketPath, "/exec", wish, timeoutMs + 10_000, maxBytes * 2 + (1 << 20)),
    ) as {
      code: number | null;
      stdout: string;
      stderr: string;
    };
    return { ...told, stdout: Buffer.from(told.stdout, "base64") };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return fail("provider_unavailable", `The sandbox cannot be reached: ${why}.`, {
      remedy: "It has ended, or is frozen. Start the session again.",
    });
  }
}

/** Linux: a handle on the name alone. */
const pathOnly = 0o10000000;

export interface PinnedSocket {
  /** A path that leads to exactly this socket, in this process. */
  readonly path: string;
  release(): void;
}

export function pinSocket(path: string): PinnedSocket {
  const descriptor = openSync(path, pathOnly | constants.O_NOFOLLOW);
  if (!fstatSync(descriptor).isSocket()) {
    closeSync(descriptor);
    return fail("provider_unavailable", "The sandbox has put something else in the place of its socket.");
  }
  let open = true;
  return {
    path: `/proc/self/fd/${descriptor}`,
    release() {
      if (open) closeSync(descriptor);
      open = false;
    },
  };
}
