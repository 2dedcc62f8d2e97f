// The screen of all runs, in a real terminal.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openTerminalDesk } from "./desk.ts";
import type { TestTerminal } from "./terminal.ts";

/** The terminal as the shell wants it back. */
async function expectWhole(terminal: TestTerminal, code?: number): Promise<void> {
  const end = await terminal.ended;
  expect(end.code).toBe(code ?? end.code);
  expect(end).toMatchObject({ echo: true, lines: true });
  expect(terminal.alternate()).toBe(false);
  expect(terminal.cursorHidden()).toBe(false);
}

describe("the screen of all runs", () => {
  it.each([
    { columns: 60, rows: 20 },
    { columns: 200, rows: 50 },
  ])(
    "[R-80] [B-20] [B-21] shows what waits, leads to the run and to its gate, and approves what was on the screen ($columns columns)",
    async (size) => {
      const desk = openTerminalDesk();
      const runId = desk.waiting("Make add really add");
      const terminal = desk.open([], size);
      expect(await terminal.shows("Needs you (1)")).toContain("Make add really add");
      expect(terminal.alternate()).toBe(true);
      expect(terminal.screen()).toContain(`= thehood status ${runId}`);
      terminal.keys("\r");
      await terminal.shows("What happened");
      // The same views as every surface: the state and the title of the gate are those of the status.
      const status = desk.thehood(["status", runId, "--json"]).json<{ gate: { title: string; sha256: string } }>();
      expect(terminal.screen()).toContain(`Needs you: ${status.gate.title}`);
      terminal.keys("\r");
      await terminal.shows("y start");
      // The hash that the answer is bound to is one key away.
      terminal.keys("e");
      await terminal.shows("Everything that an answer covers");
      expect(desk.thehood(["status", runId, "--verbose"]).out).toContain(status.gate.sha256);
      terminal.keys("q");
      await terminal.shows("y start");
      terminal.keys("y");
      await terminal.shows(/Apply the verified work/);
      expect(terminal.rows().every((row) => row.length <= size.columns)).toBe(true);
      const approved = desk
        .thehood(["show", runId, "--json"])
        .json<{ approvals: { answer: string; by: { surface: string } }[] }>().approvals;
      expect(approved[0]).toMatchObject({ answer: "approve", by: { kind: "person", surface: "tui" } });
      terminal.keys("q");
      await terminal.shows("Needs you (1)");
      terminal.keys("q");
      await expectWhole(terminal, 0);
    },
  );

  it("explains its keys, shows the change, the log and the report, and shows each as a command", async () => {
    const desk = openTerminalDesk();
    const runId = desk.waiting("Make add really add");
    desk.thehood(["approve", runId]);
    const terminal = desk.open(["top"]);
    await terminal.shows("Needs you (1)");
    terminal.keys("?");
    expect(await terminal.shows("approve or apply: offered once the change")).toContain("send back");
    terminal.keys("q");
    await terminal.shows("Needs you (1)");
    terminal.keys("\r");
    await terminal.shows("What happened");
    terminal.keys("d");
    expect(await terminal.shows("+export const add = (a, b) => a + b;")).toContain(`= thehood diff ${runId}`);
    // The word that changed is marked in its line.
    expect(terminal.cellAt("+ b;").background).not.toBe(terminal.cellAt("export const add").background);
    terminal.keys("q");
    terminal.keys("l");
    expect(await terminal.shows(`= thehood show ${runId} --log`)).toContain("Everything that happened");
    terminal.keys("q");
    terminal.keys("p");
    await terminal.shows("has no final report");
    terminal.keys("\u0003");
    await expectWhole(terminal, 0);
  });

  it("[B-32] finds a run by a text and ends it after a question", async () => {
    const desk = openTerminalDesk();
    const first = desk.waiting("Make add really add");
    desk.waiting("Another goal");
    const terminal = desk.open(["top"], { columns: 80, rows: 24 });
    await terminal.shows("Needs you (2)");
    terminal.keys("/really");
    await terminal.shows("Needs you (1)");
    expect(terminal.screen()).not.toContain("Another goal");
    terminal.keys("\r");
    terminal.keys("A");
    await terminal.shows("End “Make add really add”? Its work is kept. y/n");
    terminal.keys("n");
    terminal.keys("A");
    await terminal.shows("y/n");
    terminal.keys("y");
    await terminal.shows("✘ aborted");
    const rows = desk.thehood(["status", "--json"]).json<{ runs: { runId: string; state: string }[] }>().runs;
    expect(rows.filter(({ state }) => state === "aborted").map(({ runId }) => runId)).toEqual([first]);
    terminal.keys("\u001b");
    await terminal.shows("Another goal");
    terminal.keys("\u0003");
    await expectWhole(terminal, 0);
  });

  it("[B-32] starts a run from a typed goal, which then waits for its start in the list", async () => {
    const desk = openTerminalDesk();
    desk.waiting("Another goal");
    const terminal = desk.open(["top"], { columns: 80, rows: 24 });
    await terminal.shows("n new run");
    terminal.keys("n");
    await terminal.shows("New run here, its goal:");
    terminal.keys("Subtract q\u007ftoo");
    await terminal.shows("its goal: Subtract too▏");
    terminal.keys("\r");
    await terminal.shows("Needs you (2)");
    const { runs } = desk.thehood(["status", "--json"]).json<{ runs: { goal: string; state: string }[] }>();
    expect(runs.map(({ goal, state }) => [goal, state])).toContainEqual(["Subtract too", "awaiting_approval"]);
    terminal.keys("\u0003");
    await expectWhole(terminal, 0);
  });

  it("opens the page in the browser at the run that is shown, and ends its server with the terminal", async () => {
    const desk = openTerminalDesk();
    const runId = desk.waiting("Make add really add");
    const seen = join(desk.home, "seen.html");
    const bins = join(desk.home, "bins");
    mkdirSync(bins);
    writeFileSync(join(bins, "xdg-open"), `#!/bin/sh\ncp "\${1#file://}" ${seen}.part && mv ${seen}.part ${seen}\n`, {
      mode: 0o755,
    });
    const terminal = desk.open(["top"], {}, { PATH: `${bins}:${desk.env["PATH"]}` });
    await terminal.shows("Needs you (1)");
    terminal.keys("\r");
    await terminal.shows("What happened");
    terminal.keys("o");
    await terminal.shows(`= thehood web ${runId} --repo`);
    await expect.poll(() => existsSync(seen)).toBe(true);
    const [, origin = "", run] = /url=(http:[^#]+)#t=[\w-]+\/(\w+)/.exec(readFileSync(seen, "utf8")) ?? [];
    expect(run).toBe(runId);
    expect((await fetch(origin)).status).toBe(200);
    terminal.keys("\u0003");
    await expectWhole(terminal, 0);
    await expect
      .poll(() =>
        fetch(origin).then(
          () => "serves",
          () => "gone",
        ),
      )
      .toBe("gone");
  });

  it("draws nothing while nothing moves, and everything when something does", async () => {
    const desk = openTerminalDesk();
    desk.waiting("The first goal");
    const terminal = desk.open(["top"]);
    await terminal.shows("The first goal");
    // The age is told in seconds at first, so that it is the only thing that may change.
    await terminal.shows(/\d s$/m);
    const before = terminal.written().length;
    await sleep(3_000);
    expect(terminal.written().slice(before)).not.toContain("The first goal");
    desk.waiting("The second goal");
    await terminal.shows("The second goal");
    terminal.keys("q");
    await expectWhole(terminal, 0);
  });

  it("follows the size of the terminal, and every row fits, with wide characters too", async () => {
    const desk = openTerminalDesk();
    desk.waiting("日本語のテスト 🚀 with a long tail of words that does not fit into forty columns at all");
    const terminal = desk.open(["top"], { columns: 120, rows: 30 });
    await terminal.shows("forty columns at all");
    await terminal.resize(40, 12);
    await terminal.shows("…");
    const rows = terminal.rows();
    expect(rows[0]).toMatch(/^TheHood +1 waiting · 0 running$/);
    expect(rows[3]).toMatch(/^❯ ◆ decide +日本語のテスト 🚀.*… +\d+ s$/);
    expect(rows[11]).toContain("? help");
    await terminal.resize(300, 60);
    await terminal.shows("forty columns at all");
    expect(terminal.rows()[59]).toContain("? help");
    expect(terminal.rows().filter((row) => row.includes("TheHood"))).toHaveLength(1);
    terminal.signal("SIGSTOP");
    terminal.signal("SIGCONT");
    terminal.keys("q");
    await expectWhole(terminal, 0);
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP"])("gives the terminal back whole after %s", async (signal) => {
    const desk = openTerminalDesk();
    desk.waiting("A goal");
    const terminal = desk.open(["top"]);
    await terminal.shows("Needs you");
    terminal.signal(signal);
    await expectWhole(terminal);
  });

  it("uses no colour where NO_COLOR is set, and no screen where the terminal is dumb or there is none", async () => {
    const desk = openTerminalDesk();
    desk.waiting("A goal");
    const plain = desk.open(["top"], {}, { NO_COLOR: "1" });
    await plain.shows("Needs you");
    plain.keys("q");
    await expectWhole(plain, 0);
    // oxlint-disable-next-line no-control-regex
    expect(plain.written()).not.toMatch(/\u001b\[[\d;]*3[0-7]m/);
    const dumb = desk.open(["top"], {}, { TERM: "dumb" });
    expect(await dumb.shows("Needs you")).toContain("A goal");
    await expectWhole(dumb, 0);
    expect(dumb.written()).not.toContain("\u001b");
    expect(desk.thehood(["top"]).out).toBe(desk.thehood(["status"]).out);
    expect(desk.thehood([]).out).toContain("thehood demo");
  });

  it("[B-4] tells that a gate was decided elsewhere, and approves nothing else instead", async () => {
    const desk = openTerminalDesk();
    const runId = desk.waiting("Make add really add");
    const terminal = desk.open(["top"], { columns: 120, rows: 50 });
    await terminal.shows("Needs you");
    terminal.keys("\r");
    await terminal.shows("What happened");
    terminal.keys("\r");
    await terminal.shows("y start");
    desk.thehood(["approve", runId]);
    terminal.keys("y");
    await terminal.shows("is not open any more");
    const { approvals } = desk.thehood(["show", runId, "--json"]).json<{ approvals: unknown[] }>();
    expect(approvals).toHaveLength(1);
    terminal.keys("\u0003");
    await expectWhole(terminal, 0);
  });
});
