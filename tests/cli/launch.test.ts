// The launcher on an older Node starts the program again; the two end together.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { openTestDesk } from "./program.ts";
import { waitUntil } from "../support/wait-until.ts";

const launcher = resolve(import.meta.dirname, "../../bin/launch.js");

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "ESRCH" });
    return false;
  }
};

it("[B-16] kill -9 of the started process ends the engine that it started", async () => {
  const desk = openTestDesk();
  const script = join(desk.repo.dir, "..", "slow.json");
  writeFileSync(script, JSON.stringify({ roles: { orchestrator: [{ delayMs: 120_000 }] } }));
  const program = `const child = require("node:child_process"); const start = child.spawn;
    child.spawn = (...all) => { const made = start(...all); console.log("pid", made.pid); return made; };
    process.argv = [process.argv[0], "x", "plan", "slow", "--team", "stub", "--stub-script", ${JSON.stringify(script)}];
    require(${JSON.stringify(launcher)}).startAgain(process.execPath, "thehood");`;
  const started = spawn(process.execPath, ["-e", program], {
    cwd: desk.repo.dir,
    env: desk.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  for await (const chunk of started.stdout) {
    out += String(chunk);
    if (out.includes("\n")) break;
  }
  const engine = Number(/pid (\d+)/.exec(out)?.[1]);
  expect(isAlive(engine)).toBe(true);
  let err = "";
  for await (const chunk of started.stderr) {
    err += String(chunk);
    if (err.includes("is asked")) break;
  }
  started.kill("SIGKILL");
  await waitUntil(() => !isAlive(engine), "the engine ends");
  expect(desk.thehood(["status", "--json"]).json()).toMatchObject({
    runs: [{ doing: "stopped: no process works on it" }],
  });
});
