// Governed runs through the real program that take long: a large diff, and the demo for programs.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { fixing, openTestDesk, realNpm } from "./program.ts";

const goal = "make add() add";

describe("a run from goal to verified work", () => {
  it("[B-9] a diff of six hundred thousand bytes goes through a whole run, and the verifier reads all of it", () => {
    const { thehood, repo } = openTestDesk();
    const row = (at: number) => `export const value${at} = ${(at * 7_919) % 100_003}; // one row of a long table\n`;
    const text = Array.from({ length: 10_400 }, (_, at) => row(at)).join("");
    const fixed = fixing.roles.implementer.flatMap(({ edits: own }) => own);
    const edits = [...fixed, { op: "write", path: "src/table.js", text }];
    const file = join(tempFolder("thehood-script-"), "script.json");
    writeFileSync(file, JSON.stringify({ roles: { ...fixing.roles, implementer: [{ edits }] } }));
    const done = thehood(["run", goal, "--team", "stub", "--approvals", "autopilot", "--json", "--stub-script", file]);
    // No check reads the table: the runtime asks once, and the run completes with that doubt.
    expect(done.code, done.err).toBe(3);
    expect(thehood(["approve", "--message", "apply isolated patch"]).code).toBe(9);
    expect(readFileSync(join(repo.dir, "src/table.js"), "utf8")).toBe(text);
    const { claims } = thehood(["report", done.json<{ runId: string }>().runId, "--json"]).json<{
      claims: { kind: string; standing: string; why: string }[];
    }>();
    const read = claims.find(({ kind }) => kind === "verifier");
    expect(read?.standing).toBe("proven");
    const [, given, total] = /read (\d+) of (\d+) bytes of the diff in \d+ parts/.exec(read?.why ?? "") ?? [];
    expect(given).toBe(total);
    expect(Number(total)).toBeGreaterThan(600_000);
    // No test reaches the table, and the claim names it, however long it is.
    expect(claims.find(({ kind }) => kind === "reach")).toMatchObject({
      standing: "unproven",
      why: expect.stringContaining("src/table.js") as string,
    });
  });

  it("the demo tells programs how its run ended", () => {
    const ran = openTestDesk().thehood(["demo", "--json"], realNpm);
    expect(ran.code, ran.err).toBe(0);
    expect(ran.json()).toMatchObject({ ok: true, state: "completed" });
  });
});
