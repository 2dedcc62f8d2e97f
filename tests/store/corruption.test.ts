// The short set, and what needs no walk over bytes.
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/platform/store/index.ts";
import { corruptionSuite } from "./corruption-suite.ts";
import { clock, failureOf, fill, runIds } from "./sample.ts";
import { copyOf, makeStore } from "./scratch.ts";

corruptionSuite({ stride: 61, walStride: 1_201 });

/** Alters the file with other means than ours, as a person with the right tools could. */
function tamper(dir: string, sql: string): void {
  const handle = new DatabaseSync(join(dir, "store.db"));
  handle.exec(
    "DROP TRIGGER events_update; DROP TRIGGER events_delete; DROP TRIGGER events_insert; DROP TRIGGER runs_delete",
  );
  handle.exec(sql);
  handle.close();
}

const sample = await makeStore("tampered");

describe("a run that someone altered", () => {
  const cases = [
    [
      "an event's text",
      "UPDATE events SET event = replace(event, 'said', 'sang') WHERE run_id = 'run_bbbbbb' AND seq = 3",
    ],
    ["an event's time", "UPDATE events SET at = at + 1 WHERE run_id = 'run_bbbbbb' AND seq = 3"],
    ["an event in the middle, gone", "DELETE FROM events WHERE run_id = 'run_bbbbbb' AND seq = 3"],
    ["the last event, gone", "DELETE FROM events WHERE run_id = 'run_bbbbbb' AND seq = 8"],
    ["all events, gone", "DELETE FROM events WHERE run_id = 'run_bbbbbb'"],
    [
      "an event added",
      "INSERT INTO events SELECT run_id, 9, at, event, hash FROM events WHERE run_id = 'run_bbbbbb' AND seq = 8",
    ],
    [
      "events of another run",
      "DELETE FROM events WHERE run_id = 'run_bbbbbb'; INSERT INTO events SELECT 'run_bbbbbb', seq, at, event, hash FROM events WHERE run_id = 'run_aaaaaa'",
    ],
    ["the row", "UPDATE runs SET state = 'completed' WHERE run_id = 'run_bbbbbb'"],
    [
      "the row, set back",
      "UPDATE runs SET seq = 4, head = (SELECT hash FROM events WHERE run_id = 'run_bbbbbb' AND seq = 4) WHERE run_id = 'run_bbbbbb'",
    ],
  ] as const;

  it.each(cases)("%s: verify names the run, reading or appending it is refused, the others work", async (_, sql) => {
    const dir = copyOf(sample);
    tamper(dir, sql);
    const store = openStore(dir, { clock });
    const { problems } = await store.log.verify();
    expect(problems.some((problem) => problem.runId === "run_bbbbbb")).toBe(true);
    expect(problems.filter((problem) => problem.runId !== undefined && problem.runId !== "run_bbbbbb")).toEqual([]);
    const failures = [
      await failureOf(() => store.log.read("run_bbbbbb")),
      await failureOf(async () => {
        const row = { runId: "run_bbbbbb", createdAt: 5, goal: "", mode: "", state: "", brief: null };
        const expectedSeq = (await store.log.row("run_bbbbbb"))?.seq ?? 0;
        return store.log.append({ runId: "run_bbbbbb", expectedSeq, at: 1, events: [1], row });
      }),
    ];
    expect(failures.some((failure) => failure?.code === "store_corrupt")).toBe(true);
    expect(await store.log.read("run_aaaaaa")).toHaveLength(8);
    await fill(store, ["run_dddddd"]);
    expect((await store.log.list()).map((row) => row.runId).sort()).toEqual([...runIds, "run_dddddd"]);
    await store.close();
  });

  it("is listed as damaged when its log does not end as its row says", async () => {
    const dir = copyOf(sample);
    tamper(dir, `${cases[3][1]}; UPDATE runs SET goal = 'another' WHERE run_id = 'run_cccccc'`);
    const store = openStore(dir, { clock, mode: "read" });
    const damaged = Object.fromEntries((await store.log.list()).map((row) => [row.runId, row.damaged]));
    expect(damaged).toEqual({
      run_aaaaaa: undefined,
      run_bbbbbb: "the last event of its log is missing or altered",
      run_cccccc: undefined,
    });
    // A list does not hash its rows; looking at one does.
    expect((await store.log.row("run_cccccc"))?.damaged).toBe("its row was altered");
    await store.close();
  });
});

describe("a page full of rubbish", async () => {
  const many = Array.from({ length: 40 }, (_, index) => `run_many${String(index).padStart(2, "0")}`);
  const dir = await makeStore("pages", (store) => fill(store, many, 3));
  const bytes = readFileSync(join(dir, "store.db"));
  const pages = Array.from({ length: bytes.length / 4_096 - 1 }, (_, index) => index + 1);

  it.each(pages)("page %i: every run is still listed, and each reads whole or is refused by name", async (page) => {
    const copy = copyOf(dir);
    const altered = Buffer.from(bytes);
    altered.fill(0xa5, page * 4_096, (page + 1) * 4_096);
    writeFileSync(join(copy, "store.db"), altered);
    const store = openStore(copy, { clock, mode: "read" });
    expect((await store.log.verify()).problems).not.toEqual([]);
    const lengths: number[] = [];
    const refusals: string[] = [];
    for (const runId of many) {
      const failure = await failureOf(async () => {
        lengths.push((await store.log.read(runId)).length);
      });
      if (failure) refusals.push(failure.code);
    }
    // A run without a row has no log to promise; the list must then say so.
    expect(lengths.filter((length) => length !== 0 && length !== 6)).toEqual([]);
    expect(refusals.filter((code) => code !== "store_corrupt")).toEqual([]);
    expect(lengths.length + refusals.length).toBe(many.length);
    const listed = await store.log.list({ limit: 100 });
    expect(listed.length).toBeGreaterThanOrEqual(lengths.filter((length) => length === 6).length);
    await store.close();
  });
});

describe("a file this program does not know", () => {
  it("of a later version is refused with what to do, and not touched", async () => {
    const dir = copyOf(sample);
    const handle = new DatabaseSync(join(dir, "store.db"));
    handle.exec("PRAGMA user_version = 99");
    handle.close();
    const before = readFileSync(join(dir, "store.db"));
    for (const mode of ["read", "write"] as const) {
      const failure = await failureOf(() => openStore(dir, { clock, mode }));
      expect(failure).toMatchObject({ code: "store_version" });
      expect(failure?.remedy).toContain("newer version");
    }
    expect(readFileSync(join(dir, "store.db")).equals(before)).toBe(true);
  });

  it("that is no database, or another program's database, is refused", async () => {
    const dir = copyOf(sample);
    writeFileSync(join(dir, "store.db"), "this is not a database, however long it is".repeat(200));
    expect((await failureOf(() => openStore(dir, { clock })))?.code).toBe("store_corrupt");
    const other = copyOf(sample);
    const file = join(other, "foreign.db");
    const handle = new DatabaseSync(file);
    handle.exec("CREATE TABLE t (a); PRAGMA user_version = 1");
    handle.close();
    copyFileSync(file, join(other, "store.db"));
    expect((await failureOf(() => openStore(other, { clock })))?.code).toBe("store_corrupt");
  });
});

describe("artifacts that were altered", () => {
  it("are found by verify and refused when read", async () => {
    const dir = copyOf(sample);
    const store = openStore(dir, { clock });
    const ref = await store.artifacts.put("whole", { kind: "log", mediaType: "text/plain", summary: "s" });
    const name = ref.ref.slice(7);
    const path = join(dir, "artifacts", name.slice(0, 2), name.slice(2));
    writeFileSync(path, "wholf");
    expect((await store.log.verify()).problems).toMatchObject([{ kind: "artifact_altered" }]);
    expect((await failureOf(() => store.artifacts.read(ref.ref)))?.code).toBe("store_corrupt");
    expect((await failureOf(() => store.artifacts.slice(ref.ref, 0, 2)))?.code).toBe("store_corrupt");
    await store.close();
  });
});

describe("verify of one run", () => {
  it("reads what that run names and nothing else", async () => {
    const dir = copyOf(sample);
    const store = openStore(dir, { clock });
    const stray = await store.artifacts.put("of no run", {
      kind: "log",
      mediaType: "text/plain",
      summary: "s",
    });
    const path = (ref: string) => join(dir, "artifacts", ref.slice(7, 9), ref.slice(9));
    writeFileSync(path(stray.ref), "altered");
    expect(await store.log.verify("run_aaaaaa")).toEqual({ runs: 1, events: 8, artifacts: 4, problems: [] });
    const [first] = (await store.log.read("run_aaaaaa")) as { event: { artifact: { ref: string } } }[];
    rmSync(path(first?.event.artifact.ref ?? ""));
    expect((await store.log.verify("run_bbbbbb")).problems).toEqual([]);
    expect((await store.log.verify("run_aaaaaa")).problems).toMatchObject([
      { kind: "artifact_missing", runId: "run_aaaaaa", seq: 1 },
    ]);
    expect((await store.log.verify()).problems.map((problem) => problem.kind).sort()).toEqual([
      "artifact_altered",
      "artifact_missing",
    ]);
    await store.close();
  });
});
