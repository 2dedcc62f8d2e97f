// The results of checks that this process knows: its own, and those on the base commit that an earlier process kept.
import type { AbortSignalLike, CheckSpec, CommandRunner } from "../../../core/contract/index.ts";
import {
  type Baseline,
  readBaseline,
  runCheck,
  surroundingsOf,
  writeBaseline,
} from "../../../workspace/checks/index.ts";
import type { Repository } from "../../../platform/git/index.ts";

interface Place {
  readonly repository: Repository;
  readonly runner: CommandRunner;
  readonly scratchRoot: string;
}

export function createKnownResults(place: (runId: string) => Place, here: Omit<Place, "scratchRoot">) {
  const known = new Map<string, Baseline>();
  const keyOf = (spec: CheckSpec, tree: string) => `${tree} ${spec.id}`;
  const get = (spec: CheckSpec, tree: string) => known.get(keyOf(spec, tree));
  const set = (spec: CheckSpec, tree: string, result: Baseline) => known.set(keyOf(spec, tree), result);
  /** Where no result is known, as in a process that continues a run in other surroundings. */
  const anew = async (runId: string, spec: CheckSpec, tree: string, signal: AbortSignalLike) => {
    const result = await runCheck({ ...place(runId), spec, tree, signal });
    set(spec, tree, result);
    return result;
  };
  return {
    get,
    set,
    anew,
    on: async (runId: string, spec: CheckSpec, tree: string, signal: AbortSignalLike): Promise<Baseline> =>
      get(spec, tree) ?? (await anew(runId, spec, tree, signal)),
    async kept(spec: CheckSpec, tree: string): Promise<string | undefined> {
      const result = get(spec, tree);
      if (!result || result.result === "not_started") return undefined;
      return writeBaseline(await surroundingsOf(here, spec), result);
    },
    async recall(spec: CheckSpec, tree: string, text: string): Promise<void> {
      if (get(spec, tree)) return;
      const found = readBaseline(await surroundingsOf(here, spec), text);
      if (found) set(spec, tree, found);
    },
  };
}
