// Starts `oracle`: hands its command line the world. Everything heavy is imported when it is needed.
import process from "node:process";
import { runOracle } from "../../surfaces/oracle-cli/index.ts";
import { type OpenBrowser, openBrowserPort } from "../browser.ts";
import { createStreams, isDescendantOfRun } from "../../platform/system/index.ts";
import { version } from "../version.ts";

export function startOracle(openBrowser: OpenBrowser): void {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      // A run in this process ends in order on the first signal. The second one ends it at once: as an uncaught
      // error, for which the run has a last, synchronous word.
      if (!stop.signal.aborted) stop.abort(new Error(signal));
      else if (process.listenerCount("uncaughtException") > 0) throw new Error(signal);
      else process.exit(1);
    });

  // A terminal that went away must not end a run that has still to write its result; an answer nobody got is a failure.
  let unheard = false;
  const io = createStreams(process.env, (fd) => {
    unheard ||= fd === 1;
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
  // Everything was written synchronously; a part that did not stop in time must not keep the program.
  void ending.then((code) => process.exit(unheard && code === 0 ? 1 : code));
}
