import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { createSpool } from "./index.ts";

it("[B-17] answers that wait for the log are kept by run and key, also for the next process, until they are dropped", () => {
  const folder = tempFolder("spool-");
  const spool = createSpool(folder);
  const wanted = [
    ["run_000001", "call 1", { text: "one" }],
    ["run_000001", "call 2", { text: "two" }],
    ["run_000002", "call 1", { text: "three" }],
  ] as const;
  for (const [run, key, value] of wanted) spool.put(run, key, value);
  const next = createSpool(folder);
  for (const [run, key, value] of wanted) expect(next.find(run, key)).toEqual(value);
  expect(next.find("run_000002", "call 2")).toBeUndefined();
  next.drop("run_000001", "call 1");
  expect(wanted.map(([run, key]) => next.find(run, key) !== undefined)).toEqual([false, true, true]);
  expect(readdirSync(join(folder, "spool"))).toHaveLength(2);
});
