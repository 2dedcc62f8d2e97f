// The tables of differences in the guides: what they say is taken is taken, and what they tell to use is there.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { ask } from "../../operations/oracle/index.ts";
import { specOf } from "../argv/derive.ts";
import { commandsOf } from "../argv/index.ts";
import { oracleProgram } from "./program.ts";
import { fromUpstream } from "./upstream.ts";

const root = resolve(import.meta.dirname, "../../..");
const program = oracleProgram({} as never);
const commands = commandsOf(program).map(({ spec }) => spec);
const specs = [...commands, specOf(ask), { options: program.common ?? [] }];
const own = new Set(specs.flatMap(({ options = [] }) => options.flatMap(({ name }) => [`--${name}`, `--no-${name}`])));

/** Options that a command has there: they are told with that command. */
const ofCommands = ["--clear", "--providers"];

const rowsOf = (path: string): readonly (readonly [string, string])[] => {
  const text = readFileSync(resolve(root, path), "utf8");
  const [, section = ""] = text.split("## Coming from steipete/oracle\n");
  const lines = (section.split("\n## ")[0] ?? "").split("\n");
  return lines
    .filter((line) => line.startsWith("| "))
    .map((line) => [line.split(" | ")[0] ?? "", line.split(" | ")[1] ?? ""]);
};
/** A name that goes on with … stands for several. */
const flagsOf = (cell: string): string[] =>
  [...cell.matchAll(/--[a-z][a-z-]*…?/g)].map(([flag]) => flag).filter((flag) => !flag.endsWith("…"));

/** The line is taken in other words, or told about, or the option is one of ours. */
const isTaken = (flag: string): boolean => {
  const { argv, note, instead } = fromUpstream(["-p", "x", flag, "y"]);
  return own.has(flag) || note !== null || instead !== null || argv.join(" ") !== `-p x ${flag} y`;
};

describe.each(["docs/oracle.md", "docs/guides/browser.md"])("the table of differences in %s", (path) => {
  const rows = rowsOf(path);

  it("is there, with every line of the other program taken or answered", () => {
    expect(rows.length).toBeGreaterThan(12);
    const left = rows.flatMap(([there]) => flagsOf(there)).filter((flag) => !ofCommands.includes(flag));
    expect(left.length).toBeGreaterThan(10);
    expect(left.filter((flag) => !isTaken(flag))).toEqual([]);
  });

  it("tells to use only what this program has", () => {
    const right = rows.flatMap(([, here]) => flagsOf(here)).filter((flag) => !flag.startsWith("--remote-debugging"));
    expect(right.filter((flag) => !own.has(flag))).toEqual([]);
  });
});

it("every command that the guide of oracle names is there", () => {
  const [guide = ""] = readFileSync(resolve(root, "docs/oracle.md"), "utf8").split("## Coming from");
  const named = [...guide.matchAll(/`oracle ((?:browser )?[a-z]+)(?= |`)/g)].map(([, name]) => name);
  const names = commands.map(({ name }) => name);
  expect(named.length).toBeGreaterThan(15);
  expect([...new Set(named)].filter((name) => !names.includes(name ?? ""))).toEqual([]);
});
