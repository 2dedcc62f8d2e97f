// Requests to the first program of a sandbox over its socket. The sandbox can write the socket's folder, so a socket is held
// by its descriptor: a link that replaces the file later has no effect.
import { request } from "node:http";
import { fail } from "../../../core/contract/index.ts";
import type { ExecOptions, ExecResult } from "../port.ts";
import { closeSync, constants, fstatSync, openSync } from "node:fs";

const usual = { timeoutMs: 60_000, maxBytes: 16 << 20 } as const;

/** `mostBytes`: the sandbox controls the program at the other end, which may answer without end. */
export function requestSandbox(
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
        if (size > mostBytes) sent.destroy(new Error("the answer of the sandbox is too large"));
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
  const request = {
    ...more,
    argv,
    timeoutMs,
    maxBytes,
    ...(input === undefined ? {} : { input: Buffer.from(input).toString("base64") }),
  };
  try {
    const answer = JSON.parse(
      await requestSandbox(socketPath, "/exec", request, timeoutMs + 10_000, maxBytes * 2 + (1 << 20)),
    ) as {
      code: number | null;
      stdout: string;
      stderr: string;
    };
    return { ...answer, stdout: Buffer.from(answer.stdout, "base64") };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return fail("provider_unavailable", `The sandbox cannot be reached: ${why}.`, {
      remedy: "The sandbox has ended or is frozen. Start the session again.",
    });
  }
}

/** `O_PATH` of Linux: a descriptor for the path only. */
const pathOnly = 0o10000000;

export interface PinnedSocket {
  /** A path that leads to exactly this socket in this process. */
  readonly path: string;
  release(): void;
}

export function pinSocket(path: string): PinnedSocket {
  const descriptor = openSync(path, pathOnly | constants.O_NOFOLLOW);
  if (!fstatSync(descriptor).isSocket()) {
    closeSync(descriptor);
    return fail("provider_unavailable", "The sandbox has replaced its socket by another file.");
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
