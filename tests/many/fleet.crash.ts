// Four workers on one database, and everything that can happen to them. Every run ends as the undisturbed one did, no call is
// sent twice by itself, and what a worker does to the world is done once.
//   THEHOOD_FLEET_RUNS=20 THEHOOD_FLEET_SEED=7 npm run test:crash -- tests/many/fleet.crash.ts
import process from "node:process";
import { expect, it } from "vitest";
import {
  ask,
  closeScene,
  createPerson,
  endingOf,
  handOver,
  kindsOfTrouble,
  lastEvents,
  openScene,
  pause,
  supervise,
  trouble,
} from "./chaos.ts";
import { postgresForTests } from "./fleet-scene.ts";

const runs = Number(process.env["THEHOOD_FLEET_RUNS"] ?? 200);
const seed = Number(process.env["THEHOOD_FLEET_SEED"] ?? 1);
/** The time between two runs: on a machine that others use as well, they come slowly. */
const paceMs = Number(process.env["THEHOOD_FLEET_PACE_MS"] ?? 0);
/** Nothing of the fleet waits longer than this for anything. */
const patienceMs = 300_000;

const server = postgresForTests();

it("[B-22] 4 workers, killed and frozen, their database restarted and their line cut: 0 lost, 0 doubled, 0 stuck", async () => {
  const scene = await openScene(server(), 4, "--concurrency", "3");
  const person = createPerson(scene);
  const began = Date.now();
  const tell = (line: string) => process.stderr.write(`${Math.round((Date.now() - began) / 1_000)} s ${line}\n`);
  const first = await handOver(scene, "undisturbed", 0);
  while ((await person()).open > 0) await pause(500);
  const undisturbed = await endingOf(scene, first, "undisturbed");
  expect(undisturbed).toMatchObject({ state: "completed", doubled: [] });

  const made = new Map<string, string>();
  const handing = (async () => {
    for (let count = 0; count < runs; count += 1) {
      const name = `run-${count}`;
      made.set(name, await handOver(scene, name, (count % 4) * 400));
      await pause(paceMs);
    }
  })();
  const open = async () => (await person()).open + (made.size < runs ? 1 : 0);
  const coming = kindsOfTrouble.map((among, kind) =>
    trouble(scene, { seed: seed + kind, most: runs * 4, open, tell, among }),
  );
  await Promise.all([...coming, handing]);
  tell("no more troubles");
  let last = Date.now();
  for (let before = "", looked = await person(); looked.open > 0; looked = await person()) {
    const now = JSON.stringify(looked.states);
    if (now !== before) {
      [before, last] = [now, Date.now()];
      tell(now);
    }
    supervise(scene, tell);
    const lines = scene.workers.map(({ lines }) => lines.slice(-5));
    expect(Date.now() - last, `stuck: ${now} ${JSON.stringify(lines)}`).toBeLessThan(patienceMs);
    await pause(1_000);
  }
  const others: unknown[] = [];
  for (const [name, runId] of made) {
    const ending = await endingOf(scene, runId, name);
    if (JSON.stringify(ending) !== JSON.stringify(undisturbed)) {
      others.push({ runId, ...ending, events: await lastEvents(scene, runId) });
    }
  }
  expect(others).toEqual([]);
  expect(await scene.store.log.count()).toBe(runs + 1);
  expect(await scene.store.log.verify()).toMatchObject({ problems: [] });
  expect(JSON.parse(await ask(scene.here, "workers", "--json"))).toMatchObject({
    waiting: 0,
    active: 0,
    setAside: 0,
  });
  await closeScene(scene);
});
