// Lets the scenarios run on the shared store. The engine works on PostgreSQL alone; every event and artifact is copied into
// the embedded store of the folder afterwards, where a scenario looks without waiting.
import { join } from "node:path";
import type { RunEvent, Store } from "../../src/core/contract/index.ts";
import { openSharedStore } from "../../src/platform/store/postgres/index.ts";

type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>;

/** A port of a store that is still being opened. */
function late<P extends object>(port: () => Promise<P>): P {
  const get = (_: object, name: string | symbol) =>
    typeof name === "string" && name !== "then"
      ? async (...args: unknown[]) => ((await port()) as unknown as Methods)[name]?.(...args)
      : undefined;
  return new Proxy({}, { get }) as P;
}

export function sharedFor(
  url: string,
  { stateDir, dir }: { stateDir: string; dir: string },
  looks: Store<RunEvent>,
): Store<RunEvent> {
  const opening = openSharedStore<RunEvent>({ url, cacheDir: join(stateDir, "shared-cache"), repo: dir });
  opening.catch(() => undefined);
  const log = late(async () => (await opening).log);
  const artifacts = late(async () => (await opening).artifacts);
  const copy = async (runId: string): Promise<void> => {
    const from = (await looks.log.head(runId))?.seq ?? 0;
    const row = await log.row(runId);
    if (!row) return;
    for (const { seq, at, event } of await log.read(runId, from + 1))
      await looks.log.append({ runId, expectedSeq: seq - 1, at, events: [event], row });
  };
  return {
    log: {
      read: (...args) => log.read(...args),
      head: (...args) => log.head(...args),
      row: (...args) => log.row(...args),
      snapshot: (...args) => log.snapshot(...args),
      list: (...args) => log.list(...args),
      count: () => log.count(),
      verify: (...args) => log.verify(...args),
      append: async (request) => {
        const result = await log.append(request);
        await copy(request.runId);
        return result;
      },
    },
    artifacts: {
      put: async (bytes, about) => {
        await looks.artifacts.put(bytes, about);
        return artifacts.put(bytes, about);
      },
      has: (ref) => artifacts.has(ref),
      settle: () => artifacts.settle(),
      read: (ref) => artifacts.read(ref),
      slice: (...args) => artifacts.slice(...args),
    },
    leases: late(async () => (await opening).leases),
    close: async () => {
      await (await opening).close();
      await looks.close();
    },
  };
}
