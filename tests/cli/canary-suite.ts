// A stranger's repositories driven through every command that touches a repository: nothing of theirs runs.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import { describe, expect, it, onTestFinished } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { crowds, plant, watchProcesses, type Canary } from "../canary/index.ts";
import { bin } from "./program.ts";

const hasStrace = spawnSync("strace", ["-e", "trace=none", "true"]).status === 0;
const script = JSON.stringify({
  roles: { implementer: [{ edits: [{ op: "write", path: "new.txt", text: "new\n" }] }] },
});
const patch = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-two\n+three\n";

/** In the order a person would use them; a command may refuse, but nothing of the repository may run. */
const commands: readonly (readonly string[])[] = [
  ["check", "repo"],
  ["init"],
  ["doctor"],
  ["teams", "apply", "stub"],
  ["roles"],
  ["config"],
  ["policy"],
  ["patch", "check", "PATCH"],
  ["patch", "apply", "PATCH"],
  ["run", "add a file", "--approvals", "autopilot", "--no-checks", "--stub-script", script],
  ["plan", "look around", "--approvals", "autopilot"],
  ["status"],
  ["runs"],
  ["show"],
  ["logs"],
  ["diff"],
  ["evidence"],
  ["summon", "--role", "critic", "--brief", "look"],
  ["reconcile"],
  ["continue"],
  ["abort"],
  ["report"],
  ["prune"],
  ["prune", "--drop", "all"],
  ["log", "verify"],
];

export function commandsOverCanaries(driven: readonly Canary[]): void {
  describe("a stranger's repository under every command", () => {
    it.each(driven.map((crowd) => [crowd.name, crowd] as const))(
      "[S-6] [R-30] %s: nothing of theirs runs",
      (_name, crowd) => {
        const home = tempFolder("canary-home-");
        const planted = plant(crowd);
        onTestFinished(() => planted.remove());
        writeFileSync(join(home, "fix.patch"), patch);
        const env = {
          PATH: process.env["PATH"],
          HOME: home,
          THEHOOD_HOME: join(home, "config"),
          NO_COLOR: "1",
        };
        for (const words of commands) {
          const args = words.map((word) => (word === "PATCH" ? join(home, "fix.patch") : word));
          const ran = spawnSync(process.execPath, [bin, ...args], {
            cwd: planted.dir,
            env,
            encoding: "utf8",
            input: "",
          });
          expect({
            words,
            fired: planted.fired(),
            stack: /\n\s+at /.test(ran.stderr) ? ran.stderr : "",
          }).toEqual({ words, fired: false, stack: "" });
        }
      },
    );

    it.skipIf(!hasStrace)(
      "under strace a whole run starts only git, node and the sandbox, and reaches no address (needs strace)",
      () => {
        const home = tempFolder("canary-home-");
        const planted = plant(crowds[0] ?? { name: "", plant: () => undefined });
        onTestFinished(() => planted.remove());
        const set = ["env", `HOME=${home}`, `THEHOOD_HOME=${join(home, "config")}`, process.execPath, bin];
        watchProcesses([...set, "teams", "apply", "stub"], { cwd: planted.dir });
        const seen = watchProcesses([...set, ...(commands[9] ?? [])], { cwd: planted.dir });
        // The sandbox is tried with `true` before a gate says what confines the work.
        const known = new Set(["env", "git", "node", "bwrap", "true", "sync", basename(process.execPath)]);
        expect(seen.programs.filter((program) => !known.has(basename(program)))).toEqual([]);
        expect(seen.connections).toEqual([]);
        expect(planted.fired()).toBe(false);
      },
    );
  });
}
