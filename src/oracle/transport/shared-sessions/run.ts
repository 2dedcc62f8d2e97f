// Keeps the session of a run on the shelf while the run works. Trouble with the shelf ends no run: an answer may be paid for.
import type { WriteProblem } from "../../../core/contract/transport/index.ts";
import type { SessionFolder } from "../sessions/folder.ts";
import type { Exchange } from "./exchange.ts";

const everyMs = 5_000;

export interface SharedRun {
  /** Resolves when the session is kept as it is now, or when that did not work. */
  now(): Promise<void>;
  /** The last word; answers the problem if there is one. */
  end(): Promise<WriteProblem[]>;
}

export function keepRun(
  exchange: Exchange | undefined,
  folder: SessionFolder,
  log: (line: string) => void,
): SharedRun {
  if (!exchange) return { now: async () => undefined, end: async () => [] };
  let last: Promise<string | undefined> = Promise.resolve(undefined);
  let told = "";
  const keep = (): Promise<string | undefined> => {
    last = last.then(async () => {
      try {
        await exchange.keep(folder);
        return undefined;
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        if (problem !== told) log(`the session is only on this machine so far: ${problem}`);
        told = problem;
        return problem;
      }
    });
    return last;
  };
  const beats = setInterval(() => void keep(), everyMs);
  beats.unref();
  return {
    now: async () => void (await keep()),
    end: async () => {
      clearInterval(beats);
      const problem = await keep();
      if (problem === undefined) return [];
      const message = `the shared store: ${problem} The session lies in ${folder.dir}; the next \`oracle status\` here sends it.`;
      return [{ target: "shared_store", message }];
    },
  };
}
