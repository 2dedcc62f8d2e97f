// More runs than a machine can work on: each gets its turn.
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, it, onTestFinished } from "vitest";
import { makeRepository } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { advanceDetached } from "./index.ts";

/** Leaves a file with the name of its run, then waits until it may end. */
const worker = `
import { existsSync, writeFileSync } from "node:fs";
const [folder, run] = [process.env.SEEN, process.argv[3]];
writeFileSync(folder + "/" + run, "");
const ends = () => existsSync(folder + "/may-end") || !existsSync(folder);
const look = setInterval(() => ends() && clearInterval(look), 20);
`;

it("the runs that find no place begin, each once, when another one ends", async () => {
  const folder = tempFolder("thehood-places-");
  const repo = makeRepository();
  onTestFinished(() => repo.remove());
  const entry = join(tempFolder("thehood-worker-"), "worker.mjs");
  writeFileSync(entry, worker);
  const own = process.argv[1] ?? "";
  process.argv[1] = entry;
  onTestFinished(() => {
    process.argv[1] = own;
  });
  const ids = Array.from({ length: 11 }, (_, at) => `run_${String(at).padStart(6, "0")}`);
  const env = { ...process.env, SEEN: folder };
  const begun = () => readdirSync(folder).filter((name) => name !== "may-end").length;
  for (const runId of ids) await advanceDetached({ repo: repo.dir, runId, env });
  await advanceDetached({ repo: repo.dir, runId: ids[9] ?? "", env });
  await expect.poll(begun, { timeout: 60_000 }).toBe(8);
  expect(existsSync(join(folder, ids[8] ?? ""))).toBe(false);
  writeFileSync(join(folder, "may-end"), "");
  await expect.poll(begun, { timeout: 60_000 }).toBe(11);
});
