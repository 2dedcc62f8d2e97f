// Troubles of a terminal: faults, and ends that no program can answer. sizes.long.test.ts has a storm of sizes.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { bin, fixing, stub } from "../cli/program.ts";
import { openTerminalDesk, type TerminalDesk } from "./desk.ts";
import { openTerminal, type TestTerminal } from "./terminal.ts";

const whole = { echo: true, lines: true };
const goal = "Make add really add";

/** A run in a terminal whose check never ends. */
function slowRun(desk: TerminalDesk): string[] {
  desk.repo.write("slow.js", "setInterval(() => process.stdout.write('still at it\\n'), 100);\n");
  desk.repo.commit("a slow check");
  return ["run", goal, "--approvals", "autopilot", "--check", "node slow.js", ...stub(fixing)];
}

/** The program as a child of a shell, as in life: the shell stays when the program is killed. */
function belowShell(desk: TerminalDesk, words: readonly string[]): { terminal: TestTerminal; pid: () => number } {
  const { NO_COLOR: _, ...env } = desk.env;
  const [note, inner, outer] = [join(desk.home, "pid"), join(desk.home, "inner.sh"), join(desk.home, "outer.sh")];
  writeFileSync(inner, 'echo $$ >"$1"\nshift\nexec "$@"\n');
  writeFileSync(outer, 'sh "$@"\nread -r word\n');
  const argv = ["sh", outer, inner, note, process.execPath, bin, ...words];
  return {
    terminal: openTerminal({ argv, cwd: desk.repo.dir, env }),
    pid: () => Number(readFileSync(note, "utf8")),
  };
}

/** Whether the guard of the terminal runs beside this program. A program that ends meanwhile has none. */
function isGuarded(pid: number): boolean {
  const listed = spawnSync("ps", ["--ppid", String(pid), "-o", "args="], { encoding: "utf8" });
  return listed.stdout.includes("/dev/tty");
}

describe("a terminal in trouble", () => {
  it("gives the terminal back whole after a fault of its own", async () => {
    const desk = openTerminalDesk();
    desk.waiting(goal);
    const fault = join(desk.home, "fault.cjs");
    writeFileSync(fault, 'process.on("SIGUSR2", () => { throw new Error("a fault on purpose"); });\n');
    const env = { NODE_OPTIONS: `--require ${fault}` };
    const top = desk.open(["top"], {}, env);
    await top.shows("Needs you (1)");
    top.signal("SIGUSR2");
    const run = desk.open(slowRun(desk), {}, env);
    await run.shows("still at it");
    run.signal("SIGUSR2");
    for (const terminal of [top, run]) {
      const end = await terminal.ended;
      expect(end).toMatchObject(whole);
      expect(end.code).toBeGreaterThan(0);
      expect(terminal.alternate()).toBe(false);
      expect(terminal.cursorHidden()).toBe(false);
      expect(terminal.screen()).toContain("a fault on purpose");
    }
  });

  it.each(["SIGTERM", "SIGHUP"])("gives it back from the live view of a run after %s", async (signal) => {
    const desk = openTerminalDesk();
    const terminal = desk.open(slowRun(desk));
    await terminal.shows("still at it");
    expect(terminal.cursorHidden()).toBe(true);
    terminal.signal(signal);
    expect(await terminal.ended).toMatchObject(whole);
    expect(terminal.cursorHidden()).toBe(false);
  });

  it.skipIf(process.platform !== "linux")("leaves the screen and shows the cursor even after kill -9", async () => {
    const desk = openTerminalDesk();
    desk.waiting(goal);
    const top = belowShell(desk, ["top"]);
    await top.terminal.shows("Needs you (1)");
    await expect.poll(() => isGuarded(top.pid()), { timeout: 120_000 }).toBe(true);
    expect(top.terminal.alternate()).toBe(true);
    process.kill(top.pid(), "SIGKILL");
    await expect.poll(() => top.terminal.alternate(), { timeout: 120_000 }).toBe(false);
    expect(top.terminal.cursorHidden()).toBe(false);
    const run = belowShell(desk, slowRun(desk));
    await run.terminal.shows("still at it");
    await expect.poll(() => isGuarded(run.pid()), { timeout: 120_000 }).toBe(true);
    process.kill(run.pid(), "SIGKILL");
    await expect.poll(() => run.terminal.cursorHidden(), { timeout: 120_000 }).toBe(false);
  });
});
