// Starts `thehood`: wires its command line to the operating system and the ports.
import process from "node:process";
import { exitCodes } from "../../core/contract/index.ts";
import { runProgram } from "../../surfaces/argv/index.ts";
import { hoodProgram, lineOf, operationsFor } from "../../surfaces/cli/index.ts";
import { createPorts } from "../ports.ts";
import { createStreams } from "../../platform/system/index.ts";
import { signalExit, stopOnSignals } from "../stop-signals.ts";
import { version } from "../environment.ts";

export function startThehood(): void {
  // A program that lives for a second parses each shape a few times: compiling the schemas costs more than it saves. zod
  // reads this when it is loaded, which happens with the first command that needs it.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
  const stop = stopOnSignals();
  /** The disk behind a redirected output is full: the exit code reports it. */
  let outputLost = false;
  // A failure until the code is known.
  process.exitCode = 1;
  const io = createStreams(process.env, (fd, lost) => {
    outputLost ||= fd === 1 && lost;
    stop.abort(new Error("the output has no reader any more"));
  });
  const argv = lineOf(process.argv.slice(2), io);
  const deps = { io, cwd: currentFolder, version, signal: stop.signal };
  void operationsFor(argv)
    .then((operations) => runProgram(argv, hoodProgram(createPorts(), operations), deps))
    .then((code) => (process.exitCode = outputLost ? codeAfterLostOutput(code) : endedWith(code, stop.signal)));
}

function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function codeAfterLostOutput(code: number): number {
  process.stderr.write("thehood: the output could not be written completely.\n");
  return code === 0 ? 1 : code;
}

/** A program that a signal stopped ends with the signal's code, unless it had reached its end before. */
function endedWith(code: number, { reason }: AbortSignal): number {
  const signal = code === exitCodes.failure && reason instanceof Error ? signalExit[reason.message] : undefined;
  return signal ?? code;
}
