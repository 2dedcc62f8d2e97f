import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { setTomlTable } from "./toml-edit.ts";
import { scanToml } from "./toml-scan.ts";

const path = ["mcp_servers", "thehood"];
const values = { command: "thehood", args: ["mcp"] };
const set = (text: string) => setTomlTable(text, "config.toml", path, values);
const section = '[mcp_servers.thehood]\ncommand = "thehood"\nargs = ["mcp"]\n';

describe("setting one table of a TOML file", () => {
  it("an empty file gets the table alone; a file without it gets it at its end, all else untouched", () => {
    expect(set("")).toBe(section);
    const text = 'model = "x" # mine\n\n[tui]\ntheme = """a\n[mcp_servers.thehood]\n"""\n';
    expect(set(text)).toBe(`${text}\n${section}`);
    expect(set("a = 1")).toBe(`a = 1\n\n${section}`);
    expect(set("a = 1\r\n")).toBe(`a = 1\r\n\r\n${section.replaceAll("\n", "\r\n")}`);
  });

  it("a table that is there keeps its comments, its other keys and its sub-tables", () => {
    const text = [
      "# top",
      "[ mcp_servers . 'thehood' ] # ours",
      "# how it starts",
      'command = "old" # because',
      "startup_timeout_sec = 20",
      "args = [",
      '  "a", # one',
      "]",
      "",
      "[mcp_servers.thehood.env]",
      'X = "y"',
      "[other]",
      'command = "theirs"',
      "",
    ].join("\n");
    const after = set(text);
    expect(after).toContain('command = "thehood"\n');
    expect(after).toContain('args = ["mcp"]\n');
    expect(after).toContain("startup_timeout_sec = 20\n");
    expect(after).toContain('[mcp_servers.thehood.env]\nX = "y"\n[other]\ncommand = "theirs"\n');
    expect(after.startsWith("# top\n[ mcp_servers . 'thehood' ] # ours\n# how it starts\n")).toBe(true);
    expect(set(after)).toBe(after);
  });

  it("what is missing is put right below the header; what is right already stays as it is written", () => {
    expect(set('[mcp_servers.thehood]\nargs   =  ["mcp"] # fine\n')).toBe(
      '[mcp_servers.thehood]\ncommand = "thehood"\nargs   =  ["mcp"] # fine\n',
    );
    expect(set("[mcp_servers.thehood]")).toBe('[mcp_servers.thehood]\ncommand = "thehood"\nargs = ["mcp"]\n');
  });

  it.each([
    ["a dotted key", 'mcp_servers.thehood.command = "x"\n', 1],
    ["an inline table", 'a = 1\nmcp_servers = { thehood = { command = "x" } }\n', 2],
    ["an inline table in its parent", '[mcp_servers]\nthehood = { command = "x" }\n', 2],
    ["a dotted key in its parent", '[mcp_servers]\nthehood.command = "x"\n', 2],
    ["a list of tables", "\n[[mcp_servers]]\n", 2],
    ["a list of tables of that name", "[[mcp_servers.thehood]]\n", 1],
    ["the table twice", `${section}[mcp_servers.thehood]\n`, 4],
  ])("%s is refused with its line", (_, text, line) => {
    expect(() => set(text)).toThrow(`config.toml:${line}: `);
  });

  it.each([
    ["no value", "a = \n", 1],
    ["no equals sign", "a\n", 1],
    ["two values", "a = 1 2\n", 1],
    ["a header without an end", "ok = 1\n[mcp_servers\n", 2],
    ["a string without an end", 'a = "x\nb = 1\n', 1],
    ["a long string without an end", 'a = """x\nb = 1\n', 1],
    ["a list without an end", "a = [1, 2\n", 2],
    ["an inline table without an end", "a = { b = 1\n", 2],
    ["JSON", '{ "mcpServers": {} }\n', 1],
    ["lists without end", `a = ${"[".repeat(5_000)}\n`, 1],
    ["two statements on a line", "a = 1 b = 2\n", 1],
  ])("%s is refused with its line", (_, text, line) => {
    expect(() => set(text)).toThrow(`config.toml:${line}: `);
  });

  it("understands what people write", () => {
    const text = [
      "\uFEFF# a comment with [brackets] and = signs",
      'title = "a # b [c]"',
      "lit = 'c:\\path'",
      "day = 1979-05-27 07:32:00Z",
      "num = [ 1_000, 0xff, +1.5e3, inf, ] # trailing",
      "nested = [ [1], { a = 'b', \"c d\" = [ {x = 1} ] } ]",
      "multi = '''\n[not.a.header]\nx = 1'''",
      'esc = "q\\"[x]\\"" ',
      "[a.\"b.c\".'d']",
      "\tindented = true",
      "[[list]]",
      "[[list]]",
    ].join("\n");
    expect(scanToml(text, "t").map(({ path: own }) => own.join("|"))).toEqual([
      "title",
      "lit",
      "day",
      "num",
      "nested",
      "multi",
      "esc",
      "a|b.c|d",
      "indented",
      "list",
      "list",
    ]);
  });

  it("whatever is around it stays, and setting it twice is setting it once", () => {
    const piece = fc.constantFrom(
      "# comment\n",
      "\n",
      "k = 1\n",
      's = "a#b"\n',
      "m = '''\n[x]\n'''\n",
      "l = [\n 1, # c\n]\n",
      "t = { a = [1] }\n",
      "[tui]\n",
      "[mcp_servers.other]\n",
      'command = "x"\n',
      "[mcp_servers.thehood.env]\n",
      "[[many]]\n",
      "  [ sp . aced ]\r\n",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.string(), fc.array(fc.string()), (pieces, command, args) => {
        const text = pieces.join("");
        const after = setTomlTable(text, "f", path, { command, args });
        expect(after.startsWith(text)).toBe(true);
        expect(setTomlTable(after, "f", path, { command, args })).toBe(after);
        const other = setTomlTable(after, "f", path, values);
        expect(setTomlTable(other, "f", path, { command, args })).toBe(after);
      }),
      { numRuns: 300 },
    );
  });
});
