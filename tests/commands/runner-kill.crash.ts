import { spawn } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { createCommandRunner, detectSandbox } from "../../src/platform/sandbox/index.ts";
import { removeFolder } from "../support/remove-folder.ts";

const confined = (await detectSandbox()).kind === "bubblewrap";
const trials = 120;
const door = join(import.meta.dirname, "../../src/platform/sandbox/index.ts");

function running(mark: string): number {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, "latin1").includes(mark);
    } catch {
      return false;
    }
  }).length;
}

it.skipIf(!confined)(
  `${trials} runners killed with -9 at random moments leave no process behind (needs bubblewrap)`,
  async () => {
    const folder = tempFolder("thehood-kill-");
    const mark = String(2_000_000 + process.pid);
    const file = join(folder, "run.mjs");
    const command = `setsid nohup sleep ${mark} & sleep ${mark}`;
    writeFileSync(
      file,
      `import { createCommandRunner } from ${JSON.stringify(door)};
     const runner = createCommandRunner({ sandbox: "required" });
     await runner.run({ argv: ["true"], cwd: "/", writable: [], network: false, timeoutMs: 60000, maxOutputBytes: 10 });
     process.stdout.write("ready");
     await runner.run({ argv: ["bash", "-c", ${JSON.stringify(command)}], cwd: "/", writable: [], network: false, timeoutMs: 600000, maxOutputBytes: 1000 });`,
    );
    try {
      for (let trial = 0; trial < trials; trial += 1) {
        const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "ignore"] });
        await new Promise((ready) => child.stdout?.once("data", ready));
        await sleep((trial * 7) % 60);
        child.kill("SIGKILL");
        await new Promise((gone) => child.once("close", gone));
      }
      const program = `sleep\0${mark}`;
      for (let waited = 0; running(program) > 0 && waited < 10_000; waited += 50) await sleep(50);
      expect(running(program)).toBe(0);
      // A sandbox that was killed while it was being made may still wait for its parent; the next runner clears it away.
      await sleep(6000);
      await createCommandRunner({ sandbox: "required" }).run({
        argv: ["true"],
        cwd: "/",
        writable: [],
        network: false,
        timeoutMs: 10_000,
        maxOutputBytes: 10,
      });
      for (let waited = 0; running(mark) > 0 && waited < 5000; waited += 50) await sleep(50);
      expect(running(mark)).toBe(0);
    } finally {
      removeFolder(folder);
    }
  },
);
