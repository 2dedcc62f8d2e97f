// The context of a call at the command line: a person asks, runs move in this process, and their progress is shown.
import process from "node:process";
import { type ProgramCall, createStyle, inputLines } from "../argv/index.ts";
import {
  advanceHere,
  type Context,
  type GateDelivery,
  type Ports,
  type RepositoryRuns,
} from "../../operations/index.ts";
import { watchedOn } from "./render/view.ts";
import { spell } from "./spell.ts";

/** The runs of a folder stay open for the whole call: the handler and the renderer look at the same ones. */
function keepOpen(ports: Ports): Ports & AsyncDisposable {
  const opened = new Map<string, Promise<RepositoryRuns>>();
  const open = async (folder: string): Promise<RepositoryRuns> => {
    let known = opened.get(folder) ?? ports.runs(folder);
    // One without runs may have been opened before there was a store.
    if (opened.has(folder) && (await (await known).count()) === 0) {
      await (await known)[Symbol.asyncDispose]();
      known = ports.runs(folder);
    }
    opened.set(folder, known);
    return Object.assign(Object.create(await known) as RepositoryRuns, {
      [Symbol.asyncDispose]: async () => undefined,
    });
  };
  const close = async () => {
    for (const runs of opened.values())
      await runs.then(
        (found) => found[Symbol.asyncDispose](),
        () => undefined,
      );
  };
  return { ...ports, runs: open, [Symbol.asyncDispose]: close };
}

export function contextOf(call: ProgramCall, given: Ports): Context & AsyncDisposable {
  const ports = keepOpen(given);
  const { io, signal, quiet } = call;
  const style = createStyle(io.color && io.live);
  const tell = (line: string): void => {
    if (!quiet) io.err(`${line.replace(/^✔/, (mark) => style.green(mark))}\n`);
  };
  const screen = watchedOn(call);
  const { device } = io;
  const context: Context & AsyncDisposable = {
    ports,
    get folder() {
      return call.folder;
    },
    named: call.named,
    actor: { kind: "person", surface: "cli" },
    signal,
    spell,
    tell,
    async advance(runs, runId, options) {
      const drawn = options.besideOnly === true ? undefined : watchedOn(call);
      if (drawn) {
        const { advanceLive } = await import("../terminal/progress/index.ts");
        const interrupt = () => process.kill(process.pid, "SIGINT");
        const opening = { device: await drawn(), color: io.color, context, spell };
        return await advanceLive({ ...opening, runs, runId, options, tell, interrupt });
      }
      const { showProgress } = await import("./render/progress.ts");
      using progress = showProgress(call, options.reportedByCaller);
      const { watcher } = progress;
      const busy = (message: string) => tell(`· ${message} It does this too.`);
      return await advanceHere(runs, runId, options, { signal, watcher, busy });
    },
    ...(screen
      ? {
          async showGate(_runs: RepositoryRuns, runId: string, delivery?: GateDelivery) {
            const { askAtGate } = await import("../terminal/progress/index.ts");
            const opening = { device: await screen(), color: io.color, context, spell };
            return (await askAtGate(opening, runId, delivery))?.answer ?? null;
          },
        }
      : {}),
    ...(device
      ? {
          askSecret: async (question: string) =>
            (await import("../terminal/progress/index.ts")).askSecret(await device(), question, io.err),
        }
      : {}),
    lines: () => inputLines(io),
    [Symbol.asyncDispose]: () => ports[Symbol.asyncDispose](),
  };
  return context;
}
