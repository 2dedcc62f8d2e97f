// Watches one started program until it and its pipes are gone: input, output, deadline, abort. Never throws for what
// the program does; a fault in the caller's own `onOutput` or `converse` and a machine without resources come out as errors.
import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { type CommandOutcome, type CommandRequest, diskFailure, type CommandInput } from "../../core/contract/index.ts";

export interface Supervised {
  readonly ended: CommandOutcome["ended"];
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly output: OutputCapture;
  /** Why the program could not be started. */
  readonly error?: string;
}

interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Too much output counts as such whether or not the program was quicker to exit than we were to end it. */
function conclude(ended: CommandOutcome["ended"], exit: Exit | undefined, output: OutputCapture): Supervised {
  const how = ended === "exited" && output.truncated ? "output_limit" : ended;
  return {
    ended: how,
    exitCode: how === "exited" ? (exit?.code ?? null) : null,
    signal: exit?.signal ?? null,
    output,
  };
}

/** The longest wait a timer can hold. */
const longestMs = 2 ** 31 - 1;

/** How long pipes may stay open after the program is gone and its tree was ended. */
const drainMs = 2_000;

export function supervise(child: ChildProcess, request: CommandRequest, endTree: () => void): Promise<Supervised> {
  const output = createCapture(request.maxOutputBytes);
  return new Promise((resolve, reject) => {
    let ended: CommandOutcome["ended"] = "exited";
    let exit: Exit | undefined;
    let drain: NodeJS.Timeout | undefined;
    let fault: { cause: unknown } | undefined;

    const stop = (reason: CommandOutcome["ended"]) => {
      if (ended === "exited" && exit === undefined) ended = reason;
      endTree();
    };
    const deadline = setTimeout(() => stop("timeout"), Math.min(request.timeoutMs, longestMs));
    const onAbort = () => stop("aborted");
    request.signal?.addEventListener("abort", onAbort, { once: true });

    const finish = (error?: string) => {
      clearTimeout(deadline);
      clearTimeout(drain);
      request.signal?.removeEventListener("abort", onAbort);
      for (const stream of child.stdio) stream?.destroy();
      if (fault) reject(fault.cause);
      else if (error !== undefined) resolve({ ended: "not_started", exitCode: null, signal: null, output, error });
      else resolve(conclude(ended, exit, output));
    };

    const guarded = (act: () => void) => {
      if (fault) return;
      try {
        act();
      } catch (cause) {
        fault = { cause };
        endTree();
      }
    };
    const take = (name: "stdout" | "stderr") => (chunk: Uint8Array) => {
      const { kept, exceeded } = output.push(name, chunk);
      if (exceeded) stop("output_limit");
      if (kept.length > 0) guarded(() => request.onOutput?.(name, kept));
    };
    listen(child.stdout, take("stdout"));
    listen(child.stderr, take("stderr"));
    child.on("error", (error) => {
      // Emitted also when a kill fails; only without a pid has nothing been started.
      if (child.pid !== undefined) return;
      // A machine without resources proves nothing about the program.
      const lack = diskFailure(error);
      if (lack?.failure.code === "out_of_resources") fault = { cause: lack };
      finish(error.message);
    });
    child.once("exit", (code, signal) => {
      exit = { code, signal };
      endTree();
      drain = setTimeout(() => finish(), drainMs);
    });
    child.once("close", () => {
      if (child.pid !== undefined) finish();
    });
    guarded(() => feed(child.stdin, request));
    if (request.signal?.aborted) stop("aborted");
  });
}

function listen(stream: Readable | null, take: (chunk: Uint8Array) => void): void {
  stream?.on("data", take);
  // A broken pipe means that the program is gone; the "exit" event handles that.
  stream?.on("error", () => stream.destroy());
}

/** How much a program may leave unread before we stop filling our own memory for it. */
const unreadBytes = 32 * 1024 ** 2;

export const takesInput = ({ stdin, converse }: CommandRequest): boolean =>
  stdin !== undefined || converse !== undefined;

/** A program may exit, or close its input, before it has read what we give it: that is its right. */
export function feed(input: Writable | null, { stdin, converse }: CommandRequest): void {
  if (!input) return;
  input.on("error", () => input.destroy());
  if (converse) converse(openInput(input));
  else input.end(stdin ?? "");
}

function openInput(input: Writable): CommandInput {
  return {
    write(text) {
      if (!input.writable || input.writableLength + Buffer.byteLength(text) > unreadBytes) return false;
      input.write(text);
      return true;
    },
    end: () => void input.end(),
  };
}

interface OutputCapture {
  /** Keeps what still fits; true when the limit is now exceeded. */
  push(stream: "stdout" | "stderr", chunk: Uint8Array): { kept: Uint8Array; exceeded: boolean };
  bytes(stream: "stdout" | "stderr"): Uint8Array;
  readonly truncated: boolean;
}

function createCapture(limit: number): OutputCapture {
  const chunks = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
  let left = limit;
  let truncated = false;
  return {
    push(stream, chunk) {
      // A copy of the slice: the stream reuses its pool, and a small slice must not hold a big buffer.
      const kept = Uint8Array.from(chunk.subarray(0, left));
      if (kept.length > 0) chunks[stream].push(kept);
      left -= kept.length;
      if (kept.length < chunk.length) truncated = true;
      return { kept, exceeded: truncated };
    },
    bytes: (stream) => new Uint8Array(Buffer.concat(chunks[stream])),
    get truncated() {
      return truncated;
    },
  };
}
