// `queue run` beside a store that is away for a while: it waits, says so once, and goes on.
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { FailureError } from "../../core/contract/index.ts";
import { openQueueFile } from "../../platform/store/queue/index.ts";
import type { Context, Queue } from "../context/index.ts";
import { serveQueue } from "./serve-queue.ts";

const away = new FailureError({ code: "store_unreachable", message: "The database is away." });
const gone = new FailureError({ code: "store_corrupt", message: "The store cannot be read." });

/** A queue with one run, whose repository cannot be looked at for so many looks. */
function scene(failure: FailureError, times: number) {
  const file = openQueueFile(join(tempFolder("queue-"), "queue.db"), { now: () => Date.now() });
  file.add("run_aaaaaaaaaa", "/repo");
  const told: string[] = [];
  const started: string[] = [];
  let looks = 0;
  const queue = {
    ...file,
    list: () => file.list().map((entry) => ({ ...entry, there: true })),
    start: async ({ runId }: { runId: string }) => {
      started.push(runId);
      file.remove(runId);
      return { code: 0, failure: null };
    },
    unit: () => "",
    [Symbol.dispose]: () => undefined,
  } as unknown as Queue;
  const runs = {
    status: async () => ({ goal: "g", state: "created", monitor: { doing: "" } }),
    holder: async () => null,
    [Symbol.asyncDispose]: async () => undefined,
  };
  const ports = {
    queue: async () => queue,
    runs: async () => {
      if ((looks += 1) <= times) throw failure;
      return runs;
    },
  };
  const context = { ports, signal: new AbortController().signal, tell: (line: string) => void told.push(line) };
  return { context: context as unknown as Context, told, started };
}

it("[B-30] a database that is away ends no queue: its runs begin when it is there again", async () => {
  const { context, told, started } = scene(away, 1);
  const { rows } = await serveQueue(context, { parallel: 1, stay: false });
  expect(started).toEqual(["run_aaaaaaaaaa"]);
  expect(rows).toEqual([]);
  expect(told.filter((line) => line.includes("The database is away."))).toHaveLength(1);
}, 60_000);

it("a record that cannot be read keeps no queue at work", async () => {
  const { context, started } = scene(gone, Infinity);
  const { rows } = await serveQueue(context, { parallel: 1, stay: false });
  expect(started).toEqual([]);
  expect(rows).toEqual([expect.objectContaining({ state: "missing", doing: "The store cannot be read." })]);
});
