// Starts `oracle`: wires its command line to the operating system. Everything heavy is imported when it is needed.
import process from "node:process";
import { runOracle } from "../../surfaces/oracle-cli/index.ts";
import { type OpenBrowser, openBrowserPort } from "../browser.ts";
import { createStreams, isDescendantOfRun } from "../../platform/system/index.ts";
import { stopOnSignals } from "../stop-signals.ts";
import { version } from "../environment.ts";

export function startOracle(openBrowser: OpenBrowser): void {
  const stop = stopOnSignals();
  // A closed terminal must not end a run that still writes its result; an answer that was not printed is a failure.
  let outputLost = false;
  const io = createStreams(process.env, (fd, lost) => {
    if (fd === 1 && lost && !outputLost) process.stderr.write("oracle: the output could not be written completely.\n");
    outputLost ||= fd === 1;
  });

  process.exitCode = 1;
  const ending = runOracle(process.argv.slice(2), {
    io,
    cwd: process.cwd(),
    version,
    signal: stop.signal,
    inline: process.env["ORACLE_NO_DETACH"] === "1",
    stdinIsTerminal: () => process.stdin.isTTY,
    startedByRun: async () => isDescendantOfRun(),
    transport: async () => {
      const { openTransport } = await import("./transport.ts");
      return openTransport(openBrowser);
    },
    copy: async (text) => {
      const { userProgram } = await import("../user-program.ts");
      const { copyText } = await import("../../platform/system/index.ts");
      return copyText(text, process.env, (name) => userProgram(name, process.cwd()));
    },
    browser: openBrowserPort,
    runSession: async (id) => {
      const { openTransport, runSession } = await import("./transport.ts");
      return await runSession(await openTransport(openBrowser), id, stop.signal);
    },
    serveMcp: async () => {
      const { serveOracleMcp } = await import("./mcp.ts");
      await serveOracleMcp(openBrowser, stop.signal);
    },
  });
  // Every output is synchronous; a part that did not stop in time must not keep the process alive.
  void ending.then((code) => process.exit(outputLost && code === 0 ? 1 : code));
}
