import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommandInput } from "../../core/contract/index.ts";
import { type Scene, canary, makeScene, say } from "../../../tests/support/sandbox-scene.ts";
import { type RunnerOptions, createCommandRunner } from "./index.ts";
import { confined, running, sleepMark, until } from "../../../tests/support/process-scene.ts";

const linux = process.platform === "linux";

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
      const chunks: string[] = [];
      const onOutput = (stream: string, chunk: Uint8Array) => chunks.push(`${stream}:${Buffer.from(chunk).toString()}`);
      await say(runner(), scene, "echo one; sleep 0.3; echo two >&2", { onOutput });
      expect(chunks).toEqual(["stdout:one\n", "stderr:two\n"]);
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

describe.skipIf(!linux || !existsSync("/usr/bin/prlimit"))("without a sandbox (needs Linux and prlimit)", () => {
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
    const ask = `import(${JSON.stringify(system)}).then((room) => console.log("by a run:", room.isDescendantOfRun()))`;
    const direct = execFileSync(process.execPath, ["-e", ask], { encoding: "utf8", env: {} });
    expect(direct).toBe("by a run: false\n");
    const script = join(scene.project, "ask.mjs");
    writeFileSync(script, ask);
    const plain = await say(runner(), scene, `${process.execPath} ${script}`);
    const cleaned = await say(runner(), scene, `env -i setsid -w ${process.execPath} ${script}`);
    expect([plain.stdout, cleaned.stdout]).toEqual(["by a run: true\n", "by a run: true\n"]);
  });
});
