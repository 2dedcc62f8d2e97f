// How much a person reads before they decide: whole screens of a small terminal, counted in rows.
import { expect, it } from "vitest";
import { stub } from "../cli/program.ts";
import { openTerminalDesk } from "./desk.ts";
import type { TestTerminal } from "./terminal.ts";

const size = { columns: 80, rows: 24 };

const body = [
  "// Two numbers are a list of two.",
  "const numbers = [a, b];",
  "let sum = 0;",
  "for (const one of numbers) {",
  "  sum += one;",
  "}",
  "return sum;",
];
const text = `export function add(a, b) {\n${body.map((one) => `  ${one}\n`).join("")}}\n`;
/** Ten changed lines: nine new ones for one. */
const ten = { roles: { implementer: [{ edits: [{ op: "write", path: "src/add.js", text }] }] } };

const filled = (terminal: TestTerminal): string[] => terminal.rows().filter((row) => row.trim() !== "");
const changed = /^ *\d+ [-+]/;

/** The rows of a run's end, which stay in the terminal. */
function endOf(terminal: TestTerminal): readonly string[] {
  const rows = terminal.rows();
  const from = rows.findLastIndex((row) => /^[✔?] Done/.test(row));
  expect(from).toBeGreaterThan(-1);
  return rows.slice(from).filter((row) => row !== "");
}

it.each([size, { columns: 140, rows: 40 }])(
  "[B-32] a run of ten changed lines is decided with one key and then two, each on one screen of $columns × $rows",
  async (screen) => {
    const desk = openTerminalDesk();
    const terminal = desk.open(["run", "Add numbers in a loop", ...stub(ten)], screen);
    await terminal.shows("y start");
    const start = filled(terminal);
    // A large screen shows the whole plan below the same rows.
    const plan = start.findIndex((row) => row === "stub planner: scripted answer 1");
    expect((plan < 0 ? start : [...start.slice(0, plan), start.at(-1)]).length).toBeLessThanOrEqual(10);
    const named = ["Start?", "works", "verifies", "checks", "sends", "costs"];
    expect(named.map((name) => start.findIndex((row) => row.trimStart().startsWith(name)))).not.toContain(-1);
    terminal.keys("y");
    await terminal.shows("a apply");
    // The first frame of the gate: all changed lines, and the check table below them.
    const gate = terminal.rows();
    expect(gate.filter((row) => changed.test(row))).toHaveLength(10);
    expect(gate[2]).toContain("checks ✔ 1 of 1 · verifier ✔");
    expect(gate.findIndex((row) => /before +now/.test(row))).toBeGreaterThan(
      gate.findLastIndex((row) => changed.test(row)),
    );
    expect(gate.at(-1)).toMatch(/^a apply.* e evidence {2}l later.*\? help$/);
    terminal.keys("a");
    await terminal.shows(/Apply 1 file\? y\/n/);
    terminal.keys("y");
    expect((await terminal.ended).code).toBe(0);
    const end = endOf(terminal);
    expect(end.length).toBeLessThanOrEqual(5);
    expect(end.join("\n")).toMatch(/Done in .*1 file \+9 −1[^]*checks ✔ 1 of 1[^]*thehood undo/);
    // The list says in a word that the work is no longer here.
    expect(desk.thehood(["undo"]).code).toBe(0);
    expect(desk.thehood(["status"]).out).toMatch(/^↩ undone +Add numbers in a loop/m);
  },
);

/** The bug is mended, and a new function comes with it that no test calls. */
const unseen = {
  roles: {
    implementer: [
      {
        edits: [
          {
            op: "write",
            path: "src/add.js",
            text: `${text.replaceAll(/ {2}\/\/.*\n/g, "")}export const twice = (a) => a * 2;\n`,
          },
        ],
      },
    ],
  },
};

it("[B-4] [B-32] a doubt stands above the change on the first screen of 80 × 24, and later takes three rows", async () => {
  const desk = openTerminalDesk();
  const terminal = desk.open(["run", "Double a number", ...stub(unseen)], size);
  await terminal.shows("y start");
  terminal.keys("y");
  await terminal.shows("a apply");
  const gate = terminal.rows();
  expect(gate[2]).toMatch(/^⚠ /);
  const doubt = gate.findIndex((row) => row.includes("no check notices when this is broken: twice"));
  expect(doubt).toBeGreaterThan(1);
  expect(gate.findIndex((row) => changed.test(row))).toBeGreaterThan(doubt);
  const before = terminal.written().length;
  terminal.keys("l");
  await terminal.ended;
  const after = terminal.rows().filter((row) => row !== "");
  const from = after.findIndex((row) => row.startsWith("◆ Needs you"));
  expect(after.slice(from)).toHaveLength(3);
  expect(after.slice(from).join("\n")).toMatch(/decide +thehood approve run_[^]*look +thehood status run_/);
  expect(terminal.written().length).toBeGreaterThan(before);
});

it("[B-32] doctor takes ten rows, the help one screen, and status one row a run, at 80 × 24", async () => {
  const desk = openTerminalDesk();
  const goals = ["Add numbers in a loop, and say in the comment of the function why it is one", "Subtract", "Multiply"];
  for (const goal of goals) desk.waiting(goal);
  const screenOf = async (...words: string[]): Promise<string[]> => {
    const terminal = desk.open(words, size);
    await terminal.ended;
    return filled(terminal);
  };
  expect((await screenOf("doctor")).length).toBeLessThanOrEqual(10);
  const help = await screenOf("--help");
  // The prompt of the shell is the last row.
  expect(help.length).toBeLessThan(size.rows);
  expect(help[0]).toMatch(/^TheHood/);
  expect(help.at(-1)).toContain("thehood <command> --help");
  const [heading, ...rows] = await screenOf("status");
  expect(heading).toBe("Needs you");
  expect(rows.slice(0, 3).map((row) => goals.findIndex((goal) => row.includes(goal.slice(0, 8))))).toEqual([0, 1, 2]);
  expect(rows).toHaveLength(4);
});
