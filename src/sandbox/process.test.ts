import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommandInput } from "../contract/index.ts";
import { type Scene, canary, makeScene, say } from "../../tests/support/sandbox-scene.ts";
import { type RunnerOptions, createCommandRunner, detectSandbox } from "./index.ts";

/** Whether anybody may go there: each folder on the way lets others pass. */
const open = (path: string): boolean =>
  path === dirname(path) || ((statSync(path).mode & 0o001) !== 0 && open(dirname(path)));

const confined = (await detectSandbox()).kind === "bubblewrap";
const linux = process.platform === "linux";

/** Command lines of running processes that hold a mark. */
function running(mark: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ");
        const state = /^State:\s*(\w)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
        return line.includes(mark) && state !== "Z" && state !== "X" ? [line] : [];
      } catch {
        return [];
      }
    });
}

/** A number of seconds that no other sleep on this machine has. */
let marks = 0;
const sleepMark = () => `${1_000_000 + process.pid * 100 + (marks += 1)}`;

async function until(check: () => boolean, ms = 10_000): Promise<boolean> {
  for (const end = performance.now() + ms; performance.now() < end; await sleep(20)) if (check()) return true;
  return check();
}

const modes: { name: string; options: RunnerOptions; skip: boolean }[] = [
  { name: "under bubblewrap (needs bubblewrap)", options: { sandbox: "required" }, skip: !confined },
  { name: "without a sandbox (needs Linux)", options: { sandbox: "off" }, skip: !linux },
];

for (const { name, options, skip } of modes)
  describe.skipIf(skip)(name, () => {
    let scene: Scene;
    const runner = () =>
      createCommandRunner({
        home: scene.home,
        environment: { PATH: process.env["PATH"], LANG: "C.UTF-8", GITHUB_TOKEN: canary },
        ...options,
      });
    beforeEach(() => {
      scene = makeScene();
    });
    afterEach(() => scene.remove());

    it("[R-33] gives the exit code, both streams as bytes, and how long it took", async () => {
      const outcome = await say(runner(), scene, "printf 'out\\xff'; printf err >&2; exit 3");
      expect(outcome).toMatchObject({
        exitCode: 3,
        ended: "exited",
        stderr: "err",
        truncated: false,
        signal: null,
      });
      expect(outcome.durationMs).toBeGreaterThanOrEqual(0);
      const { stdout } = await runner().run({
        argv: ["printf", String.raw`a\377b`],
        cwd: scene.project,
        writable: [],
        network: false,
        timeoutMs: 20_000,
        maxOutputBytes: 100,
      });
      expect([...stdout]).toEqual([97, 255, 98]);
    });

    it("[S-2] hands on no variable but a few harmless ones and those it is given", async () => {
      const { stdout } = await say(runner(), scene, "env", { env: { OWN: "1" } });
      expect(stdout).not.toContain(canary);
      const names = stdout.split("\n").map((line) => line.split("=")[0]);
      const allowed = [
        "PATH",
        "HOME",
        "TMPDIR",
        "TERM",
        "SHELL",
        "LANG",
        "OWN",
        "PWD",
        "SHLVL",
        "_",
        "OLDPWD",
        "THEHOOD_COMMAND",
        "",
      ];
      expect(names.filter((variable) => !allowed.includes(variable ?? ""))).toEqual([]);
    });

    it("a program that exits at once, never reads, or is not there is answered at once", async () => {
      const big = "x".repeat(3_000_000);
      expect(await say(runner(), scene, "true", { stdin: big })).toMatchObject({
        exitCode: 0,
        ended: "exited",
      });
      expect(await say(runner(), scene, "exec <&-; exit 5", { stdin: big })).toMatchObject({ exitCode: 5 });
      expect(await say(runner(), scene, "wc -c", { stdin: big })).toMatchObject({
        exitCode: 0,
        stdout: "3000000\n",
      });
      expect(await say(runner(), scene, "cat", { stdin: new Uint8Array([104, 105]) })).toMatchObject({
        stdout: "hi",
      });
      expect(await say(runner(), scene, "cat")).toMatchObject({ exitCode: 0, stdout: "" });
      expect(await say(runner(), scene, "no-such-program-here")).toMatchObject({
        exitCode: 127,
        ended: "exited",
      });
    });

    it("holds a conversation: each line is answered when it came, and the program's end ends it", async () => {
      let input: CommandInput | undefined;
      const taken: (boolean | undefined)[] = [];
      const line = `for n in 1 2 3; do echo "ask $n"; read -r a; echo "got $a"; done; cat >/dev/null; echo closed`;
      const outcome = await say(runner(), scene, line, {
        converse: (given) => (input = given),
        onOutput(_stream, chunk) {
          const asked = /ask (\d)/.exec(Buffer.from(chunk).toString())?.[1];
          if (asked) taken.push(input?.write(`answer ${asked}\n`));
          if (asked === "3") input?.end();
        },
      });
      expect(taken).toEqual([true, true, true]);
      expect(outcome).toMatchObject({ exitCode: 0, ended: "exited" });
      expect(outcome.stdout).toBe("ask 1\ngot answer 1\nask 2\ngot answer 2\nask 3\ngot answer 3\nclosed\n");
      expect(input?.write("too late")).toBe(false);
    });

    it("a program that reads nothing cannot fill our memory, nor can its end break the conversation", async () => {
      const piece = "x".repeat(8 * 1024 ** 2);
      let written = 0;
      const outcome = await say(runner(), scene, "exec <&-; exit 4", {
        converse(input) {
          while (input.write(piece) && written < 100) written += 1;
        },
      });
      expect(outcome).toMatchObject({ exitCode: 4, ended: "exited" });
      expect(written).toBeLessThanOrEqual(4);
    });

    it("a conversation's whole tree is gone after an abort, and a fault of ours in it comes out", async () => {
      const mark = sleepMark();
      const controller = new AbortController();
      const outcome = await say(runner(), scene, `setsid sleep ${mark} & echo up; read -r x`, {
        signal: controller.signal,
        converse: () => undefined,
        onOutput: () => controller.abort(),
      });
      expect(outcome.ended).toBe("aborted");
      expect(running(mark)).toEqual([]);
      const fault = say(runner(), scene, "read -r x", {
        converse() {
          throw new TypeError("ours");
        },
      });
      await expect(fault).rejects.toThrow("ours");
    });

    it.each([
      ["both kinds of input", { stdin: "a", converse: () => undefined }, "at once or in a conversation"],
      ["a program that is missing", { argv: ["no-such-program-here"] as [string] }, "was not found"],
      ["a path that is missing", { argv: ["/no/such/program"] as [string] }, "does not exist"],
      ["no program", { argv: [""] as [string] }, "no program"],
      ["a folder that is missing", { cwd: "/no/such/folder" }, "does not exist"],
      ["a folder that is a file", { cwd: "/etc/hostname" }, "not a folder"],
      ["a relative folder", { cwd: "." }, "not an absolute path"],
      ["a writable folder that is missing", { writable: ["/no/such/folder"] }, "does not exist"],
      ["the whole disk as writable", { writable: ["/"] }, "whole disk"],
      ["a NUL in an argument", { argv: ["echo", "a\0b"] as [string, string] }, "NUL"],
      ["a bad variable name", { env: { "A=B": "c" } }, "not a variable name"],
      ["a NUL in a variable", { env: { A: "a\0b" } }, "NUL"],
    ])("%s is said and nothing is started", async (_, more, words) => {
      const outcome = await say(runner(), scene, "true", more);
      expect(outcome).toMatchObject({ ended: "not_started", exitCode: null, stdout: "", stderr: "" });
      expect(outcome.error).toContain(words);
    });

    it("a file that cannot be executed is an error, not a hang", async () => {
      writeFileSync(join(scene.project, "data"), "not a program");
      const outcome = await say(runner(), scene, "", { argv: [join(scene.project, "data")] });
      expect(outcome.exitCode === 0).toBe(false);
      expect(outcome.error ?? outcome.stderr).toMatch(/EACCES|denied/);
    });

    it("the deadline ends it, with everything it started", async () => {
      const mark = sleepMark();
      const outcome = await say(
        runner(),
        scene,
        `(setsid nohup sleep ${mark} >/dev/null 2>&1 &); sleep ${mark}; echo late`,
        { timeoutMs: 700 },
      );
      expect(outcome).toMatchObject({ ended: "timeout", exitCode: null, stdout: "" });
      expect(await until(() => running(mark).length === 0)).toBe(true);
    });

    it("an abort ends it, before the start too", async () => {
      const mark = sleepMark();
      const abort = new AbortController();
      const pending = say(runner(), scene, `sleep ${mark}`, { signal: abort.signal });
      expect(await until(() => running(mark).length > 0)).toBe(true);
      abort.abort();
      expect(await pending).toMatchObject({ ended: "aborted", exitCode: null });
      expect(await until(() => running(mark).length === 0)).toBe(true);
      const started = join(scene.project, "started");
      expect(await say(runner(), scene, `touch ${started}`, { signal: abort.signal })).toMatchObject({
        ended: "aborted",
      });
      expect(existsSync(started)).toBe(false);
    });

    it("an abort at any moment of the start leaves nothing behind", async () => {
      const mark = sleepMark();
      const own = runner();
      for (let delay = 0; delay < 40; delay += 2) {
        const abort = new AbortController();
        const pending = say(own, scene, `touch ran-${delay}; setsid sleep ${mark} & sleep ${mark}`, {
          signal: abort.signal,
        });
        await sleep(delay);
        abort.abort();
        expect(await pending).toMatchObject({ ended: "aborted", exitCode: null });
      }
      expect(await until(() => running(mark).length === 0)).toBe(true);
    });

    it("what it left behind is ended when it exits", async () => {
      const mark = sleepMark();
      const line = `setsid nohup sleep ${mark} >/dev/null 2>&1 & (sleep ${mark} &) ; sleep ${mark} & disown; echo done`;
      const outcome = await say(runner(), scene, line);
      expect(outcome).toMatchObject({ exitCode: 0, stdout: "done\n" });
      expect(await until(() => running(mark).length === 0)).toBe(true);
    });

    it("output beyond the limit ends it, and what was said before is kept", async () => {
      const outcome = await say(runner(), scene, "yes", { maxOutputBytes: 1000 });
      expect(outcome).toMatchObject({ ended: "output_limit", truncated: true, exitCode: null });
      expect(outcome.stdout).toBe("y\n".repeat(500));
      const both = await say(runner(), scene, "echo 12345; echo 67890 >&2", { maxOutputBytes: 12 });
      expect(both).toMatchObject({ ended: "exited", truncated: false });
    });

    it("tells output as it comes, and only what it keeps", async () => {
      const heard: string[] = [];
      const onOutput = (stream: string, chunk: Uint8Array) =>
        heard.push(`${stream}:${Buffer.from(chunk).toString()}`);
      await say(runner(), scene, "echo one; sleep 0.3; echo two >&2", { onOutput });
      expect(heard).toEqual(["stdout:one\n", "stderr:two\n"]);
    });

    it("a fault of the listener is the listener's, and ends the program", async () => {
      const mark = sleepMark();
      const onOutput = () => {
        throw new Error("listener");
      };
      await expect(say(runner(), scene, `echo x; sleep ${mark}`, { onOutput })).rejects.toThrow("listener");
      expect(await until(() => running(mark).length === 0)).toBe(true);
    });

    it("an open file of ours is not handed on", async () => {
      mkdirSync(join(scene.home, "open"));
      const script = `
        import { createCommandRunner } from ${JSON.stringify(join(import.meta.dirname, "index.ts"))};
        const runner = createCommandRunner(${JSON.stringify({ home: scene.home, environment: { PATH: process.env["PATH"] }, ...options })});
        const outcome = await runner.run({ argv: ["ls", "-l", "/proc/self/fd"], cwd: ${JSON.stringify(scene.project)}, writable: [], network: false, timeoutMs: 20000, maxOutputBytes: 10000 });
        process.stdout.write(outcome.stdout);`;
      const file = join(scene.root, "open.mjs");
      writeFileSync(file, script);
      const { openSync, closeSync } = await import("node:fs");
      const fd = openSync(scene.home, "r");
      const child = spawn(process.execPath, [file], {
        stdio: ["ignore", "pipe", "inherit", ...Array<"ignore">(17).fill("ignore"), fd],
      });
      closeSync(fd);
      const chunks: Buffer[] = [];
      child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
      await new Promise((done) => child.once("close", done));
      const targets = Buffer.concat(chunks).toString();
      expect(targets).toContain("2 -> ");
      expect(targets).not.toContain(scene.root);
    });
  });

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
      await until(
        () => running(`sleep ${mark}`).filter((line) => line.startsWith("sleep")).length === 2,
        30_000,
      ),
    ).toBe(true);
    child.kill("SIGKILL");
    expect(await until(() => running(mark).length === 0)).toBe(true);
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
    const memory = await say(
      runner({ limits }),
      scene,
      "x=$(head -c 400000000 /dev/zero | tr '\\0' a); echo ${#x}",
    );
    expect(memory.exitCode).not.toBe(0);
    const file = await say(runner({ limits }), scene, "head -c 5000000 /dev/zero > big; wc -c < big");
    expect(file.stdout.trim()).toBe(String(1024 ** 2));
  });

  it("the first process cannot be killed from inside, and those outside are not even seen", async () => {
    const line = `kill -9 1; echo alive; kill -0 ${process.pid} && echo seen; ls /proc | grep '^[0-9]' | wc -l`;
    expect((await say(runner(), scene, line)).stdout).toMatch(/^alive\n[1-9]\n$/);
  });
});

describe.skipIf(!linux || !existsSync("/usr/bin/prlimit"))(
  "without a sandbox (needs Linux and prlimit)",
  () => {
    let scene: Scene;
    const runner = () =>
      createCommandRunner({ home: scene.home, environment: { PATH: process.env["PATH"] }, sandbox: "off" });
    beforeEach(() => {
      scene = makeScene();
    });
    afterEach(() => scene.remove());

    it("[B-4] a process that left the group, its parent and its environment is still found and ended", async () => {
      const mark = sleepMark();
      const line = `env -i setsid sh -c 'exec env -i PATH=/usr/bin:/bin setsid sleep ${mark}' >/dev/null 2>&1 & sleep 0.3; echo done`;
      expect(await say(runner(), scene, line)).toMatchObject({ stdout: "done\n", exitCode: 0 });
      expect(await until(() => running(`sleep ${mark}`).length === 0)).toBe(true);
    });

    it("[B-4] a process that descends from a command knows it, whatever it dropped; ours does not", async () => {
      const system = join(import.meta.dirname, "../system/index.ts");
      const ask = `import(${JSON.stringify(system)}).then((room) => console.log("by a run:", room.startedByRun()))`;
      const direct = execFileSync(process.execPath, ["-e", ask], { encoding: "utf8", env: {} });
      expect(direct).toBe("by a run: false\n");
      const script = join(scene.project, "ask.mjs");
      writeFileSync(script, ask);
      const plain = await say(runner(), scene, `${process.execPath} ${script}`);
      const cleaned = await say(runner(), scene, `env -i setsid -w ${process.execPath} ${script}`);
      expect([plain.stdout, cleaned.stdout]).toEqual(["by a run: true\n", "by a run: true\n"]);
    });
  },
);
