// Runs that a person removes, and a process that dies between their removal from the store and their signature.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { fixing, openTestDesk, stub } from "../cli/program.ts";

const program = join(import.meta.dirname, "removal-program.ts");

function removedByHalf() {
  const desk = openTestDesk();
  const started = ["run", "fix add", "--team", "stub", "--no-checks", "--approvals", "autopilot", "--json"];
  const { runId } = desk.thehood([...started, ...stub(fixing)]).json<{ runId: string }>();
  const state = join(desk.home, "config", "state");
  const died = spawnSync(process.execPath, [program, desk.repo.dir, join(state, "evidence"), runId], {
    encoding: "utf8",
  });
  expect(died.signal, died.stderr).toBe("SIGKILL");
  const notes = join(desk.repo.dir, ".git", "thehood", "removals");
  return { desk, runId, notes, verify: () => desk.thehood(["log", "verify", "--json"]) };
}

describe("[B-13] [B-30] a removal whose process died before it was signed", () => {
  it("is finished by the next look at the record: the run is signed as gone, and stays gone", () => {
    const { desk, runId, notes, verify } = removedByHalf();
    expect(desk.thehood(["runs", "--json"]).json<{ runs: unknown[] }>().runs).toEqual([]);
    expect(readdirSync(notes)).toHaveLength(1);
    const kept = desk.repo.git("for-each-ref", "--format=%(refname)", `refs/thehood/keep/${runId}`);
    expect(kept).not.toBe("");
    expect(verify().json<{ problems: unknown[] }>().problems).toEqual([]);
    expect(readdirSync(notes)).toEqual([]);
    expect(verify().code).toBe(0);
  });

  it("is not believed when somebody without the key wrote it", () => {
    const { runId, notes, verify } = removedByHalf();
    const [name = ""] = readdirSync(notes);
    const note = JSON.parse(readFileSync(join(notes, name), "utf8")) as { text: string; sig: string };
    writeFileSync(
      join(notes, name),
      JSON.stringify({ ...note, text: note.text.replace('"bases":[]', '"bases":["x"]') }),
    );
    const verified = verify();
    expect(verified.code).toBe(5);
    expect(verified.json<{ problems: unknown[] }>().problems).toContainEqual(
      expect.objectContaining({ runId, problem: expect.stringContaining("it is missing") as string }),
    );
  });
});
