// A process that may open only a few files: it says so, nothing is lost, and the run is taken up again.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { addsLine, bin, fixing, openTestDesk, stub, type Desk } from "./program.ts";

interface Listed {
  readonly runs: { readonly runId: string; readonly state: string }[];
}

/** The files that a process has open before it does anything. */
const opened = Number(
  spawnSync(process.execPath, ["-p", 'require("node:fs").readdirSync("/proc/self/fd").length'], {
    encoding: "utf8",
  }).stdout,
);

function within(desk: Desk, files: number, args: readonly string[]) {
  return spawnSync("sh", ["-c", `ulimit -n ${files}; exec "$@"`, "sh", process.execPath, bin, ...args], {
    cwd: desk.repo.dir,
    env: desk.env,
    encoding: "utf8",
  });
}

describe.skipIf(process.platform !== "linux")("with few files to open (needs Linux)", () => {
  it.each([12, 18])(
    "[B-17] a run with %i more than an idle process has stops with the reason, or ends, and can be taken up",
    (more) => {
      const desk = openTestDesk();
      const files = opened + more;
      const command = ["run", "fix add", "--team", "stub", "--approvals", "autopilot"];
      const ran = within(desk, files, [...command, "--check", addsLine, ...stub(fixing)]);
      expect(ran.stderr).not.toContain("internal error");
      expect(ran.status === 0 ? "ended, without a word of ulimit -n" : ran.stderr).toContain("ulimit -n");
      for (const { runId, state } of desk.thehood(["runs", "--json"]).json<Listed>().runs) {
        const code = state === "completed" ? 0 : desk.thehood(["continue", runId]).code;
        expect({ was: state, code }).toEqual({ was: expect.not.stringMatching(/failed|aborted/), code: 0 });
        expect(readFileSync(join(desk.repo.dir, "src/add.js"), "utf8")).toContain("a + b");
      }
      expect(desk.thehood(["log", "verify"]).code).toBe(0);
    },
  );
});
