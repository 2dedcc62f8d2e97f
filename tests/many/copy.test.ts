// Runs move between the embedded and the shared store: event by event with the same hashes, also after a kill.
import { spawn } from "node:child_process";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSharedStore } from "../../src/platform/store/postgres/index.ts";
import { openStore } from "../../src/platform/store/index.ts";
import { copyStore } from "../../src/platform/store/index.ts";
import { bin, fixing, openTestDesk, stub } from "../cli/program.ts";
import { contentOf, fill } from "../store/sample.ts";
import { startPostgres, type PostgresServer } from "../support/postgres.ts";
import { tempFolder } from "../support/temp-folder.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, 120_000);
afterAll(() => server.remove());

const clock = { now: () => 1_700_000_000_000 };
const ids = Array.from({ length: 12 }, (_, index) => `run_copy${String(index).padStart(2, "0")}`);
const events = (content: Record<string, string>) =>
  Object.fromEntries(Object.entries(content).filter(([name]) => name.startsWith("events ")));

describe("[B-22] a store that is copied", () => {
  it("is the same at its destination, there and back again, however often the copy is begun", async () => {
    const source = openStore(tempFolder("copy-"), { clock });
    await fill(source, ids);
    for (const runId of ids) await source.leases.release(runId, 1);
    const shared = await openSharedStore({
      url: await server.database(),
      cacheDir: tempFolder("copy-cache-"),
    });
    const first = await copyStore(source, shared, () => undefined);
    expect(first).toMatchObject({
      runs: 12,
      skipped: [],
      source: { problems: [] },
      destination: { problems: [] },
    });
    expect(await copyStore(source, shared, () => undefined)).toMatchObject({
      runs: 12,
      events: 0,
      artifacts: 0,
    });
    const back = openStore(tempFolder("copy-"), { clock });
    await copyStore(shared, back, () => undefined);
    expect(events(await contentOf(back, ids))).toEqual(events(await contentOf(source, ids)));
    expect((await back.log.list()).map(({ runId }) => runId)).toEqual(
      (await source.log.list()).map(({ runId }) => runId),
    );
    for (const store of [source, shared, back]) await store.close();
  });

  it("leaves out a run that is worked on and a run that went another way, and says so", async () => {
    const source = openStore(tempFolder("copy-"), { clock });
    const to = openStore(tempFolder("copy-"), { clock });
    await fill(source, ids.slice(0, 3));
    await source.leases.release("run_copy01", 1);
    await source.leases.release("run_copy02", 1);
    const row = {
      runId: "run_copy02",
      createdAt: 1,
      goal: "other",
      mode: "goal",
      state: "created",
      brief: null,
    };
    await to.log.append({ runId: "run_copy02", expectedSeq: 0, at: 1, events: ["another"], row });
    const { runs, skipped } = await copyStore(source, to, () => undefined);
    expect([runs, skipped]).toEqual([
      1,
      [
        { runId: "run_copy00", why: "a process works on it" },
        { runId: "run_copy02", why: "the destination has another log of it, 1 events long" },
      ],
    ]);
    for (const store of [source, to]) await store.close();
  });

  it("by the command, killed at any moment and begun again, ends complete and verified", async () => {
    const desk = openTestDesk();
    const work = ["run", "Fix add", "--team", "stub", "--approvals", "autopilot", ...stub(fixing)];
    for (const words of [work, ["plan", "Look at add", "--team", "stub", "--approvals", "autopilot"]])
      expect(desk.thehood(words).code).toBe(0);
    const url = await server.database();
    const words = ["store", "copy", "--from", "embedded", "--to", url, "--json"];
    for (const ms of [150, 350, 600]) {
      const child = spawn(process.execPath, [bin, ...words], { cwd: desk.repo.dir, env: desk.env });
      const gone = new Promise((resolve) => child.once("exit", resolve));
      setTimeout(() => child.kill("SIGKILL"), ms);
      await gone;
    }
    const copied = desk.thehood(words);
    expect(copied.code, copied.out + copied.err).toBe(0);
    expect(copied.json()).toMatchObject({ runs: 2, skipped: [], destination: { runs: 2, problems: [] } });
    const there = desk.thehood(["runs", "--json"], { env: { THEHOOD_DATABASE_URL: url } });
    expect(there.json<{ runs: unknown[] }>().runs).toHaveLength(2);
  });
});
