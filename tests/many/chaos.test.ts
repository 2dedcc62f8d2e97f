// A small slice of `fleet.crash.ts`: two workers, each of whose troubles is met once.
import { expect, it } from "vitest";
import { closeScene, createPerson, endingOf, handOver, openScene, pause, supervise, trouble } from "./chaos.ts";
import { postgresForTests } from "./fleet-scene.ts";

const server = postgresForTests();

it("[B-22] two workers whose line breaks, whose database dies and who are killed end every run, once", async () => {
  const scene = await openScene(server(), 2);
  const person = createPerson(scene);
  const reported: string[] = [];
  const tell = (line: string) => void reported.push(line);
  const names = ["one", "two"];
  const ids = await Promise.all(names.map((name) => handOver(scene, name, 300)));
  const only = ["line reset", "process killed", "database killed", "worker killed"];
  await trouble(scene, { seed: 5, most: only.length, only, tell, open: async () => (await person()).open });
  for (let looks = 0; looks < 200 && (await person()).open > 0; looks += 1) {
    supervise(scene, tell);
    await pause(500);
  }
  const endings = await Promise.all(ids.map((id, at) => endingOf(scene, id, names[at] ?? "")));
  const lines = scene.workers.map((worker) => worker.lines.slice(-4));
  expect(endings, JSON.stringify([reported, lines])).toMatchObject(
    names.map(() => ({ state: "completed", doubled: [] })),
  );
  expect(new Set(endings.map(({ patch }) => patch)).size).toBe(1);
  expect(await scene.store.log.verify()).toMatchObject({ problems: [] });
  await closeScene(scene);
});
