// The first screen of the help names only what there is, and fits a small terminal.
import { describe, expect, it } from "vitest";
import { ask } from "../../operations/oracle/index.ts";
import { commandsOf } from "../argv/index.ts";
import { specOf } from "../argv/derive.ts";
import { oracleProgram } from "./program.ts";
import { firstScreen, screen } from "./screen.ts";

const program = oracleProgram({} as never);
const commands = commandsOf(program).map(({ spec }) => spec);
const options = [...(specOf(ask).options ?? []), ...(program.common ?? [])];
const rows = screen.flatMap(([, ...all]) => all);

describe("[B-24] the first screen of oracle's help", () => {
  it("has at most 24 lines of 80 columns", () => {
    const lines = firstScreen(program.tagline).trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it.each(rows)("%s is there as it is spelled: %s", (words, text) => {
    const flags = [...`${words} ${text}`.matchAll(/--([a-z-]+)/g)].map(([, name]) => name);
    expect(options.map(({ name }) => name)).toEqual(expect.arrayContaining(flags));
  });

  it.each(rows.filter(([words]) => !words.startsWith("-")))("%s is a command, and so are others: %s", (words, text) => {
    const others = /also (.*)/.exec(text)?.[1]?.split(", ") ?? [];
    const names = commands.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([words.replace(/ [[<].*/, ""), ...others]));
  });
});
