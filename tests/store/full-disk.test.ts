// A store on a disk without a free byte: what is stored can be read.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/platform/store/index.ts";
import { canMount, fill, smallDisk } from "../crash/disks.ts";
import { tempFolder } from "../support/temp-folder.ts";

const clock = { now: () => 1_000 };
const request = (seq: number) => ({
  runId: "run_000001",
  expectedSeq: seq,
  at: 5,
  events: [{ type: "x", seq }],
  row: { runId: "run_000001", createdAt: 1, goal: "g", mode: "goal", state: "created", brief: {} },
});

describe.skipIf(!canMount)("a full disk (needs root and mount)", () => {
  it("[B-17] is read and verified; a writer is refused by name, and goes on when there is space", async () => {
    const folder = tempFolder("thehood-full-");
    using _disk = smallDisk(folder, "2m");
    const dir = join(folder, "thehood");
    const first = openStore(dir, { clock });
    await first.log.append(request(0));
    await first.close();
    fill(folder);
    const reader = openStore(dir, { clock, mode: "read" });
    expect(await reader.log.read("run_000001")).toHaveLength(1);
    expect((await reader.log.verify()).problems).toEqual([]);
    await reader.close();
    expect(() => openStore(dir, { clock })).toThrow(/full/);
    rmSync(join(folder, "fill"));
    const later = openStore(dir, { clock });
    await later.log.append(request(1));
    await later.close();
  });

  it("is not read past what a writer left in the side file: that needs a writer", async () => {
    const folder = tempFolder("thehood-full-");
    using _disk = smallDisk(folder, "2m");
    const dir = join(folder, "thehood");
    const first = openStore(dir, { clock });
    await first.log.append(request(0));
    await first.close();
    writeFileSync(join(dir, "store.db-wal"), Buffer.alloc(4_096, 1));
    fill(folder);
    expect(() => openStore(dir, { clock, mode: "read" })).toThrow();
  });
});
