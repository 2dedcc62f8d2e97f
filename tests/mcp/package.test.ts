// What is shipped beside the program: the entry for the MCP registry, and the skill for agents.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { operations } from "../../src/operations/index.ts";

const root = resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const pkg = JSON.parse(read("package.json")) as {
  name: string;
  version: string;
  mcpName: string;
  files: string[];
};

describe("what is shipped for MCP hosts", () => {
  it("server.json names this package in this version, within the registry's limits", () => {
    const server = JSON.parse(read("server.json")) as {
      name: string;
      version: string;
      description: string;
      packages: { identifier: string; version: string }[];
    };
    expect(server).toMatchObject({ name: pkg.mcpName, version: pkg.version });
    expect(server.packages).toMatchObject([{ identifier: pkg.name, version: pkg.version }]);
    expect(server.description.length).toBeLessThanOrEqual(100);
    expect(pkg.files).toEqual(expect.arrayContaining(["skills", "server.json"]));
  });

  it("the skill has the frontmatter agents look for, and names only tools there are", () => {
    const text = read("skills/thehood/SKILL.md");
    const front = /^---\n([^]*?)\n---\n/.exec(text)?.[1] ?? "";
    expect(/^name: (.+)$/m.exec(front)?.[1]).toBe("thehood");
    const description = /^description: (.+)$/m.exec(front)?.[1] ?? "";
    expect(description.length).toBeGreaterThan(50);
    expect(description.length).toBeLessThanOrEqual(1_024);
    const known = new Set<string>(operations.flatMap((operation) => operation.mcp?.tool ?? []));
    const named = [...text.matchAll(/thehood_[a-z_]+/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});
