import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { FailureError, type Store } from "../../core/contract/index.ts";
import { openStore } from "./index.ts";

const clock = { now: () => 1 };
const runId = "run_000000";
const row = { runId, createdAt: 1, goal: "g", mode: "goal", state: "created", brief: null };
const hasBwrap = spawnSync("bwrap", ["--ro-bind", "/", "/", "true"]).status === 0;
let folder: string;

beforeEach(() => {
  folder = tempFolder("store-");
});

async function append(store: Store, expectedSeq: number) {
  return await store.log.append({ runId, expectedSeq, at: 1, events: [{ n: expectedSeq }], row });
}

async function failureOf(work: () => unknown) {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof FailureError) return error.failure;
    throw error;
  }
}

describe("opening a store", () => {
  it("refuses links in place of its folder or files, so that nothing is written elsewhere", async () => {
    const target = join(folder, "target");
    mkdirSync(target);
    const linked = join(folder, "linked");
    symlinkSync(target, linked);
    expect((await failureOf(() => openStore(linked, { clock })))?.code).toBe("unsafe_repository");
    for (const name of ["store.db", "store.db-wal", "store.db-journal", "artifacts"]) {
      const dir = join(folder, `with-${name}`);
      mkdirSync(dir);
      symlinkSync(join(target, name), join(dir, name));
      for (const mode of ["read", "write"] as const)
        expect((await failureOf(() => openStore(dir, { clock, mode })))?.code).toBe("unsafe_repository");
    }
    expect(readdirSync(target)).toEqual([]);
  });

  it("says who is in the way when its place is taken by a file", async () => {
    const dir = join(folder, "file");
    writeFileSync(dir, "");
    const failure = await failureOf(() => openStore(dir, { clock }));
    expect(failure?.code).toBe("permission_denied");
    expect(failure?.message).toContain(dir);
  });

  it("waits for another writer only so long, then says that the store is busy and changes nothing", async () => {
    const store = openStore(join(folder, "s"), { clock, busyTimeoutMs: 30 });
    await append(store, 0);
    const other = new DatabaseSync(join(folder, "s", "store.db"));
    other.exec("BEGIN IMMEDIATE");
    expect((await failureOf(() => append(store, 1)))?.code).toBe("run_busy");
    expect(await store.log.read(runId)).toHaveLength(1);
    other.exec("ROLLBACK");
    other.close();
    expect((await append(store, 1)).ok).toBe(true);
    await store.close();
  });

  it("closing twice does no harm", async () => {
    const store = openStore(join(folder, "s"), { clock });
    await store.close();
    await store.close();
  });

  it.skipIf(!hasBwrap)("reads a store on a disk that cannot be written (needs bwrap)", async () => {
    const dir = join(folder, "s");
    const store = openStore(dir, { clock });
    await append(store, 0);
    await store.close();
    const program = join(import.meta.dirname, "index.ts");
    const script = `const { openStore } = await import(${JSON.stringify(program)});
      const store = openStore(${JSON.stringify(dir)}, { clock: { now: () => 1 }, mode: "read" });
      process.stdout.write(JSON.stringify([(await store.log.list()).length, (await store.log.verify()).problems]));`;
    const argv = ["--ro-bind", "/", "/", "--dev", "/dev", process.execPath, "--input-type=module", "-e", script];
    const { stdout, stderr } = spawnSync("bwrap", argv, { encoding: "utf8" });
    expect({ stdout, stderr }).toEqual({ stdout: "[1,[]]", stderr: "" });
  });
});
