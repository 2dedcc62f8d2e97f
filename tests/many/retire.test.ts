// Runs leave the shared store: written to a file first, verified, and only by those who may.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FailureError } from "../../src/core/contract/index.ts";
import { openSharedStore, removeSharedRuns } from "../../src/platform/store/postgres/index.ts";
import { fixing, stub } from "../cli/program.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { machine, postgresForTests, type Machine } from "./fleet-scene.ts";

const server = postgresForTests();
const words = ["--team", "stub", "--approvals", "autopilot", "--json"];
const make = (here: Machine): string =>
  here.ask("run", "Fix add", ...words, ...stub(fixing)).json<{ runId: string }>().runId;
const listed = (here: Machine): string[] =>
  here
    .ask("runs", "--json")
    .json<{ runs: { runId: string }[] }>()
    .runs.map(({ runId }) => runId);

describe("[B-22] runs of the shared store", () => {
  it("are archived by the owner to files that verify anywhere, and the others stay whole and append-only", async () => {
    const url = await server().database();
    const here = machine(url, "https://example.com/team/app.git");
    const old = make(here);
    here.desk.repo.git("checkout", "-q", ".");
    const kept = make(here);
    const folder = tempFolder("archive-");
    const archived = here.ask("runs", "archive", old, "--to", folder, "--json");
    expect(archived.code, archived.err + archived.out).toBe(0);
    const [file = ""] = readdirSync(folder);
    expect(here.desk.thehood(["log", "verify", "--archive", join(folder, file)]).code).toBe(0);
    expect(listed(here)).toEqual([kept]);
    const verified = here.ask("log", "verify");
    expect(verified.code, verified.out + verified.err).toBe(0);
    expect(here.ask("report", kept).out).toContain("npm run test");
    for (const table of ["events", "runs", "artifacts"])
      await expect(server().query(`DELETE FROM thehood.${table}`, url)).rejects.toThrow(/append-only/);
    const gone = here.ask("runs", "delete", "--older-than", "0", "--json");
    expect([gone.code, listed(here)], gone.err + gone.out).toEqual([0, []]);
  });

  it("leave by no other role: a role without the right is refused, and a run that is not over stays", async () => {
    const url = await server().database();
    const name = url.split("/").at(-1) ?? "";
    const cacheDir = tempFolder("retire-");
    const store = await openSharedStore({ url, cacheDir });
    const about = { kind: "log", mediaType: "text/plain", summary: "" } as const;
    const put = async (runId: string, text: string, state: string) => {
      const artifact = await store.artifacts.put(text, about);
      const row = { runId, createdAt: 1, goal: "g", mode: "goal", state, brief: null };
      await store.log.append({ runId, expectedSeq: 0, at: 1, events: [{ artifact }], row });
      return artifact.ref;
    };
    const own = await put("run_old000", "of one run", "completed");
    const both = await put("run_oldtwo", "of two runs", "completed");
    await put("run_stays0", "of two runs", "implementing");
    const headsOf = async (...ids: string[]) =>
      new Map(
        await Promise.all(ids.map(async (id) => [id, { hash: (await store.log.head(id))?.hash ?? "" }] as const)),
      );
    const remove = async (as: string, ...ids: string[]) =>
      removeSharedRuns({ url: as, team: undefined }, await headsOf(...ids));
    const failure = (work: Promise<unknown>) =>
      work.then(
        () => "removed",
        (error: unknown) => (error instanceof FailureError ? error.failure.code : String(error)),
      );

    await server().query(`CREATE ROLE clerk LOGIN; CREATE ROLE keeper LOGIN`);
    await server().query(
      `GRANT USAGE ON SCHEMA thehood TO clerk, keeper; GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA thehood TO clerk, keeper;
       GRANT EXECUTE ON FUNCTION thehood.remove_runs TO keeper`,
      url,
    );
    const as = (role: string) => url.replace("postgres@", `${role}@`);
    expect(await failure(remove(as("clerk"), "run_old000"))).toBe("permission_denied");
    expect(await failure(remove(as("keeper"), "run_old000", "run_stays0"))).toBe("run_busy");
    const changed = new Map([["run_old000", { hash: "another" }]]);
    expect(await failure(removeSharedRuns({ url, team: undefined }, changed))).toBe("run_busy");
    expect(await store.log.count()).toBe(3);

    expect(await failure(remove(as("keeper"), "run_old000", "run_oldtwo"))).toBe("removed");
    expect(await store.log.count()).toBe(1);
    // An artifact waits, because a run that is being written may name it: put again, it stays.
    expect(await store.artifacts.has(own)).toBe(true);
    await server().query("UPDATE thehood.unnamed_artifacts SET since = now() - interval '1 day'", url);
    await store.artifacts.put("of one run", about);
    expect(await removeSharedRuns({ url, team: undefined }, new Map())).toEqual({
      artifacts: 0,
      freedBytes: 0,
    });
    expect([await store.artifacts.has(own), await store.artifacts.has(both)]).toEqual([true, true]);
    expect((await store.log.verify()).problems).toEqual([]);
    await put("run_again0", "of no run", "completed");
    await remove(url, "run_again0");
    await server().query("UPDATE thehood.unnamed_artifacts SET since = now() - interval '1 day'", url);
    expect(await removeSharedRuns({ url, team: undefined }, new Map())).toMatchObject({
      artifacts: 1,
      freedBytes: 9,
    });
    await store.close();
    await server().query(`DROP OWNED BY clerk, keeper`, url);
    expect(name).toMatch(/^test_/);
  });
});
