// The queue of this machine under kill -9: of the process that serves it, of a run's process, and of all at once.
import process from "node:process";
import { expect, it } from "vitest";
import { systemCode } from "../../src/platform/system/index.ts";
import { openTestDesk } from "./program.ts";
import { add, expectWhole, owners, rowsOf, serve, underWay, until } from "./queue-scene.ts";

/** A group that has ended meanwhile is what was wanted. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (systemCode(error) !== "ESRCH") throw error;
  }
}

it(
  "a killed server leaves its runs at work, and the next server does not begin them twice",
  { timeout: 120_000 },
  async () => {
    const desk = openTestDesk();
    const runs = [1, 2, 3].map((number) => add(desk, number));
    const server = serve(desk, 2);
    const before = await underWay(desk, 2);
    server.kill("SIGKILL");
    const next = serve(desk, 2);
    const after = owners(rowsOf(desk));
    expect(after.every((pid) => before.includes(pid))).toBe(true);
    expect(after.length).toBeGreaterThan(0);
    await until(() => (rowsOf(desk).length === 0 ? true : undefined));
    next.kill("SIGKILL");
    expectWhole(desk, runs);
  },
);

it(
  "a run whose process is killed is begun again at once and not counted as a failure",
  { timeout: 120_000 },
  async () => {
    const desk = openTestDesk();
    const runs = [1].map((number) => add(desk, number));
    serve(desk, 1);
    const [first = 0] = await underWay(desk);
    process.kill(first, "SIGKILL");
    const [row] = await until(() => {
      const rows = rowsOf(desk);
      return owners(rows).some((pid) => pid !== first) ? rows : undefined;
    });
    expect(row).toMatchObject({ runId: runs[0], failures: 0 });
    await until(() => (rowsOf(desk).length === 0 ? true : undefined));
    expectWhole(desk, runs);
  },
);

it("two servers at once share the places: never more than two runs are under way", { timeout: 180_000 }, async () => {
  const desk = openTestDesk();
  const runs = [1, 2, 3, 4, 5].map((number) => add(desk, number));
  serve(desk, 2);
  serve(desk, 2);
  let most = 0;
  await until(() => {
    const rows = rowsOf(desk);
    most = Math.max(most, owners(rows).length);
    return rows.length === 0 ? true : undefined;
  });
  expect(most).toBe(2);
  expectWhole(desk, runs);
});

it("after all processes are gone at once, queue run ends every run", { timeout: 180_000 }, async () => {
  const desk = openTestDesk();
  const runs = [1, 2, 3, 4].map((number) => add(desk, number));
  const server = serve(desk, 2);
  await underWay(desk, 2);
  server.kill("SIGKILL");
  // The server may have begun another run meanwhile, and a killed process needs a moment to end.
  await until(() => {
    const working = owners(rowsOf(desk));
    for (const pid of working) killGroup(pid);
    return working.length === 0 ? true : undefined;
  });
  expectWhole(desk, runs);
});
