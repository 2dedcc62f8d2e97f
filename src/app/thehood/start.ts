// Starts `thehood`: hands its command line the world and the rooms.
import process from "node:process";
import { exitCodes } from "../../core/contract/index.ts";
import { runProgram } from "../../surfaces/argv/index.ts";
import { hoodProgram, lineOf, operationsFor } from "../../surfaces/cli/index.ts";
import { createPorts } from "../ports.ts";
import { createStreams } from "../../platform/system/index.ts";
import { version } from "../version.ts";

export function startThehood(): void {
  // A program that lives for a second parses each shape a few times: compiling the schemas costs more than it saves. zod
  // reads this when it is loaded, which happens with the first command that needs it.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
  const stop = stopOnSignals();
  /** A full disk behind a redirected output: a reader of the file must hear of it. */
  let printedInVain = false;
  // Until it is known how it went, it went wrong.
  process.exitCode = 1;
  const io = createStreams(process.env, (fd, lost) => {
    printedInVain ||= fd === 1 && lost;
    stop.abort(new Error("nobody reads the output any more"));
  });
  const argv = lineOf(process.argv.slice(2), io);
  const deps = { io, cwd: currentFolder, version, signal: stop.signal };
  void operationsFor(argv)
    .then((operations) => runProgram(argv, hoodProgram(createPorts(), operations), deps))
    .then((code) => (process.exitCode = printedInVain ? inVain(code) : endedWith(code, stop.signal)));
}

function stopOnSignals(): AbortController {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      // A second signal means it: everything durable is durable already.
      if (stop.signal.aborted) process.exit(130);
      stop.abort(new Error(signal));
    });
  return stop;
}

function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function inVain(code: number): number {
  process.stderr.write("thehood: the output could not be written whole.\n");
  return code === 0 ? 1 : code;
}

/** A program that a signal stopped ends with the signal's code, unless it had reached its end all the same. */
const stoppedBy: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

function endedWith(code: number, { reason }: AbortSignal): number {
  const signal =
    code === exitCodes.failure && reason instanceof Error ? stoppedBy[reason.message] : undefined;
  return signal ?? code;
}
