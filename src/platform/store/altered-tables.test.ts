// The triggers that make the log append-only are part of the record: a store without one of them is reported.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import type { Store } from "../../core/contract/index.ts";
import { openStore } from "./index.ts";

const clock = { now: () => 1_000 };
let dir: string;
let store: Store;

beforeEach(async () => {
  dir = join(tempFolder("altered-"), ".thehood");
  store = openStore(dir, { clock });
  const row = { runId: "run_000000", createdAt: 1, goal: "g", mode: "plan", state: "created", brief: {} };
  await store.log.append({ runId: "run_000000", expectedSeq: 0, at: 5, events: [{ type: "x" }], row });
});
afterEach(async () => await store.close());

function alter(sql: string): void {
  const database = new DatabaseSync(join(dir, "store.db"));
  database.exec(sql);
  database.close();
}

function triggers(): string[] {
  const database = new DatabaseSync(join(dir, "store.db"));
  const rows = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all();
  database.close();
  return rows.map(({ name }) => String(name));
}

const problems = async () => (await store.log.verify()).problems.map(({ problem }) => problem);

describe("log verify", () => {
  it("finds nothing in a store as it was made", async () => {
    expect(await problems()).toEqual([]);
    expect(triggers().length).toBeGreaterThan(0);
  });

  it("tells that the database is gone where artifacts of its runs are there", async () => {
    await store.artifacts.put("a", { kind: "log", mediaType: "text/plain", summary: "a" });
    await store.close();
    for (const end of ["", "-wal", "-shm"]) rmSync(join(dir, `store.db${end}`), { force: true });
    store = openStore(dir, { clock, mode: "read" });
    expect(await problems()).toContain("the database is gone, and artifacts of its runs are there");
  });

  it("names each trigger that is gone", async () => {
    for (const name of triggers()) {
      alter(`DROP TRIGGER "${name}"`);
      expect((await problems()).join("\n")).toContain(`trigger ${name} is not as this program made it`);
    }
  });

  it("names a trigger that does something else under the same name, and one that was added", async () => {
    const [name = ""] = triggers();
    alter(`DROP TRIGGER "${name}"; CREATE TRIGGER "${name}" BEFORE DELETE ON events BEGIN SELECT 1; END`);
    alter(`CREATE TRIGGER "mine" BEFORE INSERT ON events BEGIN SELECT 1; END`);
    const reported = (await problems()).join("\n");
    expect(reported).toContain(`trigger ${name} `);
    expect(reported).toContain("trigger mine ");
  });
});
