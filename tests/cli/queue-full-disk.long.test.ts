// The queue of this machine on a disk that is full for a while: it stays, counts no failure of a run, and goes on.
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { canMount, fill, smallDisk } from "../crash/disks.ts";
import { openTestDesk, type Desk } from "./program.ts";
import { add, expectWhole, rowsOf, serve, underWay, until } from "./queue-scene.ts";

const stateOf = (desk: Desk): string => join(desk.home, "config", "state");
const recordsOf = (desk: Desk): string => join(desk.repo.dir, ".git", "thehood");

describe.skipIf(!canMount)("[B-30] [B-35] a full disk (needs root and mount)", () => {
  it.each([
    ["the user's state", stateOf],
    ["the records of the repository", recordsOf],
  ])("with %s on it ends no queue, sets no run aside, and the runs end as undisturbed", async (_, folderOf) => {
    const desk = openTestDesk();
    const folder = folderOf(desk);
    mkdirSync(folder, { recursive: true });
    using _disk = smallDisk(folder, "24m");
    const ids = [1, 2, 3].map((number) => add(desk, number));
    const server = serve(desk, 2);
    await underWay(desk, 2);
    fill(folder);
    // Longer than three tries of a run.
    await sleep(20_000);
    expect(server.exitCode).toBeNull();
    expect(rowsOf(desk).map(({ failures }) => failures)).toEqual(rowsOf(desk).map(() => 0));
    rmSync(join(folder, "fill"));
    await until(() => (rowsOf(desk).length === 0 ? true : undefined));
    expect(server.exitCode).toBeNull();
    server.kill("SIGKILL");
    expectWhole(desk, ids);
  });

  it("shows the queue, and refuses to add to it by name", () => {
    const desk = openTestDesk();
    mkdirSync(stateOf(desk), { recursive: true });
    using _disk = smallDisk(stateOf(desk), "24m");
    const runId = add(desk, 1);
    fill(stateOf(desk));
    expect(rowsOf(desk)).toMatchObject([{ runId, state: "waiting", failures: 0 }]);
    expect(desk.thehood(["queue", "top", runId, "--json"]).json()).toMatchObject({ error: { code: "store_full" } });
    // The run is made in its repository, which has space; the way into the queue is said, so that no second one is made.
    const refused = desk.thehood(["queue", "add", "another goal", "--team", "stub"]);
    expect(refused.err).toMatch(/^run_\w+ was created and waits: thehood queue add --run run_\w+$/m);
    rmSync(join(stateOf(desk), "fill"));
    expect(existsSync(join(stateOf(desk), "queue.db"))).toBe(true);
    expect(desk.thehood(["queue", "top", runId]).code).toBe(0);
  });
});
