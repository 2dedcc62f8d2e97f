import { parse, type ParseError } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { setJsonEntry } from "./json-edit.ts";
import { previewHost } from "./configure.ts";

const entry = { command: "thehood", args: ["mcp"] };
const set = (text: string) => setJsonEntry(text, "mcp.json", ["mcpServers", "thehood"], entry);

describe("setting one entry of a JSON file", () => {
  it("keeps comments, unknown keys, other servers, trailing commas and the indentation", () => {
    const text =
      '{\n\t// mine\n\t"theme": "dark",\n\t"mcpServers": {\n\t\t"other": { "command": "x" }, // theirs\n\t},\n}\n';
    const after = set(text);
    expect(after).toContain("// mine");
    expect(after).toContain("// theirs");
    expect(after).toContain('\t\t"other": { "command": "x" }');
    expect(parse(after)).toEqual({ theme: "dark", mcpServers: { other: { command: "x" }, thehood: entry } });
    expect(set(after)).toBe(after);
  });

  it("an entry that is there keeps what else it says", () => {
    const after = set('{"mcpServers":{"thehood":{"command":"old","env":{"A":"b"}/* why */}}}\n');
    expect(after).toContain("/* why */");
    expect(parse(after)).toEqual({
      mcpServers: { thehood: { command: "thehood", env: { A: "b" }, args: ["mcp"] } },
    });
  });

  it.each([
    ['{"a":1}', { a: 1 }],
    ['{"a":1, /* x */ "mcpServers":{}}', { a: 1, mcpServers: {} }],
    ["{ // only a comment\n}", {}],
    ['{\n  "mcpServers": {\n    // nothing yet\n  }\n}', { mcpServers: {} }],
    ['{"mcpServers":{"x":{"a":[1,2]},},}', { mcpServers: { x: { a: [1, 2] } } }],
    ['{\r\n    "mcpServers": {\r\n        "x": 1 // y, {z}\r\n    }\r\n}\r\n', { mcpServers: { x: 1 } }],
    ['{"mcpServers":{"thehood":7}}', {}],
    ['{"mcpServers":{"x":1 /* a */ /* b\n */ }}', { mcpServers: { x: 1 } }],
  ])("%j keeps what it says", (text, said) => {
    const after = set(text);
    const errors: ParseError[] = [];
    const value = parse(after, errors, { allowTrailingComma: true }) as { mcpServers: object };
    expect(errors).toEqual([]);
    expect(value).toMatchObject(said);
    expect(value.mcpServers).toMatchObject({ thehood: entry });
    for (const comment of text.match(/\/\/[^\r\n]*|\/\*[^]*?\*\//g) ?? []) expect(after).toContain(comment);
    expect(set(after)).toBe(after);
  });

  it("an empty or missing file becomes a whole one", () => {
    for (const text of ["", "  \n", "{}"]) expect(parse(set(text))).toEqual({ mcpServers: { thehood: entry } });
  });

  it.each([
    ["broken JSON", '{\n  "a": \n}\n', 3],
    ["a list", "[]", 1],
    ["servers that are not an object", '{\n "mcpServers": []\n}', 2],
  ])("%s is refused with its line", (_, text, line) => {
    expect(() => set(text)).toThrow(`mcp.json:${line}: `);
  });

  it("the preview shows what goes and what comes, and nothing when nothing changes", () => {
    expect(previewHost("a\nb\nc\n", "a\nx\nc\n", "f")).toBe("--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n");
    expect(previewHost("", "a\n", "f")).toBe("--- /dev/null\n+++ f\n@@ -0,0 +1,1 @@\n+a\n");
    expect(previewHost("a\n", "a\n", "f")).toBe("");
  });
});
