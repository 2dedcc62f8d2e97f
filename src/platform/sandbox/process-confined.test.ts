// Processes under bubblewrap only, and the limits of the system on them.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Scene, makeScene, say } from "../../../tests/support/sandbox-scene.ts";
import { type RunnerOptions, createCommandRunner } from "./index.ts";
import { confined, running, sleepMark, until } from "../../../tests/support/process-scene.ts";

/** Whether every user may go there: each folder on the way lets others pass. */
const open = (path: string): boolean =>
  path === dirname(path) || ((statSync(path).mode & 0o001) !== 0 && open(dirname(path)));

describe.skipIf(!confined)("under bubblewrap only (needs bubblewrap)", () => {
  let scene: Scene;
  beforeEach(() => {
    scene = makeScene();
  });
  afterEach(() => scene.remove());
  const runner = (options: RunnerOptions = {}) =>
    createCommandRunner({
      home: scene.home,
      environment: { PATH: process.env["PATH"] },
      sandbox: "required",
      ...options,
    });

  it("when the runner itself is killed with -9, nothing of the program is left", async () => {
    const mark = sleepMark();
    const file = join(scene.root, "run.mjs");
    writeFileSync(
      file,
      `import { createCommandRunner } from ${JSON.stringify(join(import.meta.dirname, "index.ts"))};
       await createCommandRunner({ sandbox: "required" }).run({ argv: ["bash", "-c", "setsid nohup sleep ${mark} & sleep ${mark}"], cwd: ${JSON.stringify(scene.project)}, writable: [], network: false, timeoutMs: 600000, maxOutputBytes: 1000 });`,
    );
    const child = spawn(process.execPath, [file], { stdio: "ignore" });
    expect(
      await until(() => running(`sleep ${mark}`).filter((line) => line.startsWith("sleep")).length === 2, 30_000),
    ).toBe(true);
    child.kill("SIGKILL");
    expect(await until(() => running(mark).length === 0)).toBe(true);
  });

  it("a machine whose own limits are lower than ours keeps them, and programs start all the same", () => {
    const file = join(scene.root, "run.mjs");
    writeFileSync(
      file,
      `import { createCommandRunner } from ${JSON.stringify(join(import.meta.dirname, "index.ts"))};
       const outcome = await createCommandRunner({ sandbox: "required" }).run({ argv: ["bash", "-c", "ulimit -Hn; ulimit -Hf"], cwd: ${JSON.stringify(scene.project)}, writable: [], network: false, timeoutMs: 600000, maxOutputBytes: 1000 });
       console.log(JSON.stringify([outcome.ended, outcome.exitCode, String(Buffer.concat([outcome.stdout, outcome.stderr]))]));`,
    );
    const lowered = 'ulimit -n 700; ulimit -f 3000; exec "$@"';
    const output = execFileSync("bash", ["-c", lowered, "bash", process.execPath, file], { encoding: "utf8" });
    expect(JSON.parse(output)).toEqual(["exited", 0, "700\n3000\n"]);
  });

  it("a swarm of processes stops at the limit", async () => {
    const mark = sleepMark();
    const line = `for i in $(seq 300); do sleep ${mark} & done 2>/dev/null; ls /proc | grep -c '^[0-9]'`;
    const outcome = await say(runner({ limits: { processes: 60 } }), scene, line, { timeoutMs: 3000 });
    const count = Number(outcome.stdout.trim() || 60);
    expect(count).toBeLessThanOrEqual(62);
    expect(await until(() => running(mark).length === 0)).toBe(true);
  });

  it("a fork bomb is bounded and gone at the deadline", async () => {
    const mark = `bomb${sleepMark()}`;
    const line = `${mark}() { ${mark} | ${mark} & }; ${mark}; sleep 600`;
    const outcome = await say(runner({ limits: { processes: 40 } }), scene, line, { timeoutMs: 1500 });
    expect(["timeout", "exited", "output_limit"]).toContain(outcome.ended);
    expect(await until(() => running(mark).length === 0)).toBe(true);
  });

  it.skipIf(process.getuid?.() !== 0 || !open(process.execPath) || !open(import.meta.dirname))(
    "holds for an ordinary user too (needs root to become one, and a checkout that others can read)",
    async () => {
      const file = join(scene.root, "user.mjs");
      const hostile = `cat ${scene.home}/.netrc; touch ${scene.outside}/x; (echo > /dev/tcp/127.0.0.1/22) 2>/dev/null && echo net; mount -o remount,rw / 2>/dev/null && echo mount; touch ok && echo ok; for i in $(seq 200); do sleep 9 & done 2>/dev/null; ls /proc | grep -c '^[0-9]'`;
      writeFileSync(
        file,
        `import { createCommandRunner } from ${JSON.stringify(join(import.meta.dirname, "index.ts"))};
       const runner = createCommandRunner({ sandbox: "required", home: ${JSON.stringify(scene.home)}, limits: { processes: 50 } });
       const outcome = await runner.run({ argv: ["bash", "-c", ${JSON.stringify(hostile)}], cwd: ${JSON.stringify(scene.project)}, writable: [${JSON.stringify(scene.project)}], network: false, timeoutMs: 15000, maxOutputBytes: 10000 });
       console.log(JSON.stringify({ ...outcome, stdout: Buffer.from(outcome.stdout).toString(), stderr: "" }));`,
      );
      execFileSync("chown", ["-R", "65534:65534", scene.root]);
      const said = execFileSync(process.execPath, [file], {
        uid: 65534,
        gid: 65534,
        env: {},
        encoding: "utf8",
        cwd: "/",
      });
      const outcome = JSON.parse(said) as { stdout: string; sandbox: { kind: string }; error?: string };
      expect(outcome.sandbox.kind).toBe("bubblewrap");
      const [ok, count] = outcome.stdout.trim().split("\n");
      expect(ok).toBe("ok");
      expect(Number(count ?? 50)).toBeLessThanOrEqual(54);
      expect(existsSync(join(scene.outside, "x"))).toBe(false);
    },
  );

  it("a program that takes too much memory or fills a file is stopped", async () => {
    const limits = { memoryBytes: 200 * 1024 ** 2, fileBytes: 1024 ** 2 };
    const memory = await say(runner({ limits }), scene, "x=$(head -c 400000000 /dev/zero | tr '\\0' a); echo ${#x}");
    expect(memory.exitCode).not.toBe(0);
    const file = await say(runner({ limits }), scene, "head -c 5000000 /dev/zero > big; wc -c < big");
    expect(file.stdout.trim()).toBe(String(1024 ** 2));
  });

  it("the first process cannot be killed from inside, and those outside are not even seen", async () => {
    const line = `kill -9 1; echo alive; kill -0 ${process.pid} && echo seen; ls /proc | grep '^[0-9]' | wc -l`;
    expect((await say(runner(), scene, line)).stdout).toMatch(/^alive\n[1-9]\n$/);
  });
});
