// A terminal whose size changes five hundred times.
import { describe, expect, it } from "vitest";
import { waitUntil } from "../support/wait-until.ts";
import { openTerminalDesk } from "./desk.ts";

const whole = { echo: true, lines: true };

describe("a terminal in a storm of sizes", () => {
  it("follows five hundred sizes while runs come and go, and is whole at the last one", async () => {
    const desk = openTerminalDesk();
    desk.waiting("日本語 👩‍👩‍👧 e\u0301te\u0301 in a goal that is longer than forty columns");
    const terminal = desk.open(["top"], { columns: 120, rows: 30 });
    await terminal.shows("Needs you (1)");
    for (let at = 0; at < 500; at += 1) {
      await terminal.resize(40 + ((at * 97) % 261), 8 + ((at * 31) % 60));
      if (at === 250) desk.waiting("The second goal");
    }
    await terminal.resize(80, 24);
    await terminal.shows("Needs you (2)");
    await waitUntil(() => {
      const rows = terminal.rows();
      const seconds = rows.filter((row) => row.includes("The second goal"));
      const [first = "", last = ""] = [rows[0], rows[23]];
      return /^TheHood +2 waiting · 0 running$/.test(first) && last.includes("? help") && seconds.length === 1;
    }, "the first row, the last row and one line of the second run");
    await terminal.resize(40, 12);
    await terminal.shows(/^TheHood +2 waiting · 0 running$/m);
    terminal.keys("q");
    expect(await terminal.ended).toEqual({ code: 0, ...whole });
    expect(terminal.alternate()).toBe(false);
  });
});
