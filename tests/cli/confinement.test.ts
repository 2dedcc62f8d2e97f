// What confines the work, as doctor, the gate and the report say it: each from the runner that really starts programs.
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { machine, type Machine } from "./crew-scene.ts";
import { adds, fixing, stub } from "./program.ts";

interface Check {
  readonly name: string;
  readonly state: string;
  readonly detail: string;
}

const sandboxOf = (on: Machine["on"], env: Record<string, string>) =>
  on(["doctor", "--json"], env)
    .json<{ checks: Check[] }>()
    .checks.find(({ name }) => name === "sandbox");

const check = { id: "adds", kind: "test", argv: adds };

/** A run to its end, with the words of its first gate and of its report. */
function wholeRun({ on, configure }: Machine, env: Record<string, string>): { gate: string; report: string } {
  configure({ policy: { checks: [check], discoverChecks: false } });
  const started = on(["run", "make add add", "--team", "stub", ...stub(fixing)], env);
  expect(started.code, started.err).toBe(3);
  const { gates } = on(["show", "--json"], env).json<{ gates: { subject: { text: string } }[] }>();
  expect(on(["approve"], env).code).toBe(3);
  const done = on(["approve", "--message", "apply isolated patch"], env);
  expect(done.code, done.err).toBe(0);
  return { gate: gates[0]?.subject.text ?? "", report: on(["report"], env).out };
}

describe("[B-19] what confines the work is said from the path that is used", () => {
  it("nothing, where the only bwrap lies in a folder that others can fill", () => {
    const one = machine();
    expect(sandboxOf(one.on, {})).toMatchObject({
      state: "warning",
      detail: expect.stringContaining("commands run with your own rights"),
    });
    const { gate, report } = wholeRun(one, {});
    expect(gate).toContain("sandbox: NONE.");
    expect(report).toMatch(/^> Nothing confined this work: (\d+) of \1 commands ran without a sandbox/);
  });

  it.skipIf(!existsSync("/usr/bin/bwrap"))("bubblewrap, where the system has one (needs bubblewrap)", () => {
    const one = machine();
    // With the folder of Node, which the check starts: the sandbox hides it where it lies below /tmp or a home.
    const env = { PATH: `${one.bin}:/usr/bin:${dirname(process.execPath)}` };
    expect(sandboxOf(one.on, env)).toMatchObject({
      state: "ok",
      detail: expect.stringContaining("/usr/bin/bwrap"),
    });
    const { gate, report } = wholeRun(one, env);
    expect(gate).toContain("sandbox: on, bubblewrap around every agent program and check");
    expect(report).toMatch(/^# make add add\n/);
  });
});
