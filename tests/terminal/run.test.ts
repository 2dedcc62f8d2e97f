// A run that moves while a person looks on, and their decisions, in a real terminal.
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { fixing, stub } from "../cli/program.ts";
import { openTerminalDesk, type TerminalDesk } from "./desk.ts";
import { openTerminal, type TestTerminal } from "./terminal.ts";

const goal = "Make add really add";

const atStart = "y start";
const atResult = "a apply";

/** Starts the run at its first gate. */
async function start(terminal: TestTerminal): Promise<void> {
  await terminal.shows(atStart);
  terminal.keys("y");
}

/** Approves the result with two keys, on a question that names what happens. */
async function apply(terminal: TestTerminal): Promise<void> {
  await terminal.shows(atResult);
  terminal.keys("a");
  await terminal.shows(/Apply \d+ files?.*\? y\/n/);
  terminal.keys("y");
}

const whole = { echo: true, lines: true };

const stateOf = ({ thehood }: TerminalDesk) =>
  thehood(["status", "--json"]).json<{ runs: { state: string }[] }>().runs[0]?.state;

const launcher = resolve(import.meta.dirname, "../../bin/launch.js");

/** The words that start the program again from `node`, as the launcher does on an older Node. */
const again = (node: string) => (words: readonly string[]) => {
  const program = `process.argv = ["", "", ...${JSON.stringify(words)}];
    require(${JSON.stringify(launcher)}).startAgain(${JSON.stringify(process.execPath)}, "thehood");`;
  return [node, "-e", program];
};
const withoutInput = (words: readonly string[]) => [
  "sh",
  "-c",
  'exec "$@" </dev/null',
  "sh",
  ...again(process.execPath)(words),
];
const older = ["/usr/bin/node", "/usr/local/bin/node"].find((node) => existsSync(node));

const launchers: readonly (readonly [string, (words: readonly string[]) => string[]])[] = [
  ["the launcher", again(process.execPath)],
  ["the launcher with no terminal as its input", withoutInput],
  ...(older === undefined ? [] : [["the launcher on the Node of the system", again(older)] as const]),
];

describe("a run in a terminal", () => {
  it("[B-20] [R-80] asks at each gate right there, shows who works, and ends with what is proven", async () => {
    const desk = openTerminalDesk();
    const terminal = desk.open(["run", goal, ...stub(fixing)], { columns: 100, rows: 60 });
    await start(terminal);
    expect(await terminal.shows("+export const add = (a, b) => a + b;")).toContain("verifier ✔");
    await apply(terminal);
    await terminal.shows("thehood undo · thehood report");
    expect(await terminal.ended).toEqual({ code: 0, ...whole });
    const screen = terminal.screen();
    expect(terminal.alternate()).toBe(false);
    expect(terminal.cursorHidden()).toBe(false);
    expect(screen).toContain("✔ npm run test with the work: passed");
    expect(screen).toMatch(/Done.* in \d+ s {2}Make add really add +1 file \+1 −1, not committed/);
    expect(screen).toMatch(/checks ✔ 1 of 1 · verified by stub:verifier · \d of \d claims proven/);
    // The rows that moved are gone, and were never more than rows.
    expect(screen).not.toContain("ctrl-c stops");
    expect(terminal.written()).toContain("ctrl-c stops");
    expect(screen.split("\n").length).toBeLessThan(30);
  });

  it("[B-20] undo tells once what it took out, or once why nothing was taken out", async () => {
    const desk = openTerminalDesk();
    desk.thehood(["run", goal, "--approvals", "autopilot", ...stub(fixing)]);
    const [changed = ""] = desk.repo.git("diff", "--name-only").split("\n");
    const work = readFileSync(join(desk.repo.dir, changed), "utf8");
    const undo = async (code: number) => {
      const terminal = desk.open(["undo"]);
      expect((await terminal.ended).code).toBe(code);
      return terminal.screen();
    };
    desk.repo.write(changed, "mine\n");
    const refused = await undo(1);
    expect(refused.match(/You changed the same lines/g)).toHaveLength(1);
    desk.repo.write(changed, work);
    expect((await undo(0)).match(/✔ undone/g)).toHaveLength(1);
    expect(desk.repo.git("status", "--porcelain")).toBe("");
  });

  it("revises in the person's editor, rejects, and decides later with the command for it", async () => {
    const desk = openTerminalDesk();
    const editor = join(desk.home, "editor.sh");
    writeFileSync(editor, '#!/bin/sh\nprintf "keep the old name\\n# a comment\\n" > "$1"\n');
    chmodSync(editor, 0o755);
    const revised = desk.open(["run", goal, ...stub(fixing)], {}, { EDITOR: editor });
    await revised.shows(atStart);
    revised.keys("r");
    // The planner has read it, and the next gate is there.
    await revised.shows("“stub planner: scripted answer 2”");
    revised.keys("l");
    expect((await revised.ended).code).toBe(3);
    const later = revised.screen().split("◆ Needs you: ")[1]?.split("\n") ?? [];
    expect(later).toHaveLength(3);
    expect(later[1]).toMatch(/^ {2}decide +thehood approve run_/);
    const { approvals } = desk.thehood(["show", "--json"]).json<{ approvals: { answer: string; message: string }[] }>();
    expect(approvals[0]).toMatchObject({ answer: "revise", message: "keep the old name" });
    expect(stateOf(desk)).toBe("awaiting_approval");
    const rejected = desk.open(["continue"], {}, { EDITOR: "false" });
    await rejected.shows(atStart);
    rejected.keys("r");
    await rejected.shows("Nothing was written");
    rejected.keys("n");
    await rejected.shows("Refuse this? The run ends; its work is kept. y/n");
    rejected.keys("y");
    expect(await rejected.ended).toMatchObject(whole);
    expect(stateOf(desk)).toBe("aborted");
  });

  it("[B-32] closes a question that was answered on another screen, and says so", async () => {
    const desk = openTerminalDesk();
    desk.thehood(["run", goal, ...stub(fixing), "--quiet"]);
    const [late, other] = [desk.open(["approve"]), desk.open(["approve"])];
    await late.shows(atStart);
    await start(other);
    await other.shows(atResult);
    // The question about the result is open now, and not the one on this screen.
    late.keys("y");
    await late.shows(atResult);
    await apply(other);
    expect((await other.ended).code).toBe(0);
    late.keys("a");
    await late.shows(/Apply \d+ files?.*\? y\/n/);
    late.keys("y");
    expect((await late.ended).code).toBe(1);
    expect(late.screen()).toContain("This question was answered on another screen meanwhile");
  });

  it("[B-32] gives roles to other agents at the start, and asks about the verifier before the start", async () => {
    const desk = openTerminalDesk();
    const editor = join(desk.home, "editor.sh");
    const swap = "s/stub:implementer/stub:second/; s/stub:verifier/stub:strict/";
    writeFileSync(editor, `#!/bin/sh\nsed -i -e '${swap}' "$1"\n`);
    chmodSync(editor, 0o755);
    const terminal = desk.open(["run", goal, ...stub(fixing)], {}, { EDITOR: editor });
    await terminal.shows(atStart);
    terminal.keys("c");
    await terminal.shows("c change");
    terminal.keys("c");
    expect(await terminal.shows("Switch who fills a role")).toContain("stub:strict");
    terminal.keys("a");
    await terminal.shows("y/n");
    terminal.keys("y");
    const start = await terminal.shows(atStart);
    expect(start).toMatch(/works +stub:second/);
    expect(start).toMatch(/verifies +stub:strict/);
    terminal.keys("l");
    expect((await terminal.ended).code).toBe(3);
  });

  it("one ctrl-c stops it with the command that goes on, leaves nothing behind and ends with 130", async () => {
    const desk = openTerminalDesk();
    desk.repo.write("slow.js", "setInterval(() => process.stdout.write('still at it\\n'), 100);\n");
    desk.repo.git("add", "slow.js");
    desk.repo.git("commit", "-q", "-m", "a slow check");
    const words = ["run", goal, "--approvals", "autopilot", "--check", "node slow.js", ...stub(fixing)];
    const terminal = desk.open(words);
    await terminal.shows("still at it");
    expect(terminal.screen()).toMatch(/● running .*node slow\.js.* on the \w+ tree {2}\d+ s of at most \d+ min/);
    // Another terminal shows its output too, as it comes.
    const other = desk.open(["top"]);
    await other.shows("● running");
    other.keys("\r");
    expect(await other.shows(/Output\n +still at it/)).toContain("of at most");
    other.keys("\u0003");
    expect((await other.ended).code).toBe(0);
    await terminal.resize(50, 20);
    await terminal.shows("still at it");
    terminal.keys("\u0003");
    expect(await terminal.ended).toEqual({ code: 130, ...whole });
    expect(terminal.screen()).toContain("thehood continue run_");
    expect(terminal.screen()).not.toContain("ctrl-c stops");
    expect(terminal.cursorHidden()).toBe(false);
  });

  it.each(launchers)("one ctrl-c is one through %s too", async (_name, start) => {
    const desk = openTerminalDesk();
    desk.repo.write("slow.js", "setInterval(() => process.stdout.write('still at it\\n'), 100);\n");
    desk.repo.commit("a slow check");
    const words = ["run", goal, "--approvals", "autopilot", "--check", "node slow.js", ...stub(fixing)];
    const { NO_COLOR: _, ...env } = desk.env;
    const terminal = openTerminal({ argv: start(words), cwd: desk.repo.dir, env });
    await terminal.shows("still at it");
    terminal.keys("\u0003");
    expect(await terminal.ended).toEqual({ code: 130, ...whole });
    expect(terminal.screen()).toContain("thehood continue run_");
    expect(terminal.screen()).not.toContain("ctrl-c stops");
    expect(terminal.cursorHidden()).toBe(false);
  });

  it("the demo tells its story in a few lines and lets the person approve the one patch", async () => {
    const desk = openTerminalDesk();
    const terminal = desk.open(["demo"], { columns: 120, rows: 50 });
    expect(await terminal.shows(atResult)).toContain("minutes(text)");
    await apply(terminal);
    await terminal.shows("Look further");
    expect((await terminal.ended).code).toBe(0);
    const story = terminal.screen().split("Look further")[0] ?? "";
    expect(story).toMatch(/✔ you: approve “.*”/);
    expect(story).toContain("✔ verify");
    expect(story.trim().split("\n").length).toBeLessThanOrEqual(18);
    expect(terminal.screen()).toContain("thehood web --repo");
  });
});
