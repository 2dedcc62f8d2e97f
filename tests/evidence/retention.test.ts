// Old runs: out of the store with their space, signed as gone, and verifiable as files on another machine.
import { existsSync, readFileSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { fixing, openTestDesk, stub, type Desk } from "../cli/program.ts";
import { tempFolder } from "../support/temp-folder.ts";

interface Retired {
  runs: string[];
  files: string[];
  artifacts: number;
  freedBytes: number;
}

const start = ["run", "fix add", "--team", "stub", "--no-checks"];

function play(desk: Desk, approvals: string): string {
  const ran = desk.thehood([...start, "--approvals", approvals, "--json", ...stub(fixing)]);
  desk.repo.git("checkout", "-q", "--", ".");
  return ran.json<{ runId: string }>().runId;
}

const files = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** As if all artifacts had been written a while ago. */
function age(folder: string): void {
  const then = new Date(Date.now() - 60_000);
  for (const file of files(join(folder, "artifacts"))) utimesSync(file, then, then);
}

describe("old runs", () => {
  it("are deleted with what no other run names, and log verify knows that a person did it", () => {
    const desk = openTestDesk();
    const state = join(desk.repo.dir, ".thehood");
    const first = play(desk, "autopilot");
    const second = play(desk, "autopilot");
    const waiting = play(desk, "manual");
    age(state);
    const before = files(join(state, "artifacts")).length;
    const size = statSync(join(state, "store.db")).size;
    expect(desk.thehood(["runs", "delete"]).code).toBe(2);
    const refused = desk.thehood(["runs", "delete", waiting]);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("is not over");
    const done = desk.thehood(["runs", "delete", first, "--json"]).json<Retired>();
    expect(done.runs).toEqual([first]);
    expect(done.freedBytes).toBeGreaterThan(10_000);
    expect(files(join(state, "artifacts")).length).toBe(before - done.artifacts);
    expect(statSync(join(state, "store.db")).size).toBeLessThan(size);
    const verified = desk.thehood(["log", "verify", "--json"]);
    expect(verified.json<{ problems: unknown[]; runs: number }>()).toMatchObject({ problems: [], runs: 2 });
    expect(desk.thehood(["status", second]).code).toBe(0);
    expect(desk.thehood(["runs", "delete", "--older-than", "1", "--json"]).json<Retired>().runs).toEqual([]);
    expect(desk.thehood(["approve", waiting, "--json"]).code).not.toBe(1);
  });

  it("[B-13] are archived in files that verify elsewhere by the public key alone, and altered ones do not", () => {
    const desk = openTestDesk();
    const run = play(desk, "autopilot");
    const folder = join(tempFolder("archive-"), "old");
    const done = desk.thehood(["runs", "archive", "--older-than", "0", "--to", folder, "--json"]).json<Retired>();
    expect(done).toMatchObject({ runs: [run], files: [join(folder, `${run}.jsonl.gz`)] });
    expect(desk.thehood(["runs", "--json"]).json<{ runs: unknown[] }>().runs).toEqual([]);
    expect(desk.thehood(["log", "verify"]).code).toBe(0);
    const [file = ""] = done.files;
    expect(existsSync(file)).toBe(true);
    const key = join(tempFolder("key-"), "key.pem");
    writeFileSync(key, desk.thehood(["key"]).out);
    const elsewhere = { cwd: tempFolder("elsewhere-"), env: { THEHOOD_HOME: tempFolder("other-home-") } };
    const verify = (path: string, ...more: string[]) =>
      desk.thehood(["log", "verify", "--archive", path, "--json", ...more], elsewhere);
    expect(verify(file, "--key", key).json()).toMatchObject({ runs: 1, problems: [] });
    expect(verify(file).code).toBe(5);
    const altered = join(tempFolder("altered-"), "run.jsonl.gz");
    const text = gunzipSync(readFileSync(file)).toString();
    const lines = text.split("\n");
    for (const other of [
      text.replace("fix add", "fix odd"),
      lines.toSpliced(3, 1).join("\n"),
      lines
        .toSpliced(
          lines.findIndex((line) => line.startsWith('{"ref"')),
          1,
        )
        .join("\n"),
    ]) {
      writeFileSync(altered, gzipSync(other));
      expect(verify(altered, "--key", key).code).toBe(5);
    }
    writeFileSync(altered, "nonsense");
    expect(verify(altered, "--key", key).code).toBe(2);
  });
});
