// What is shipped beside the program: the entry for the MCP registry, and the skill for agents.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { resultStatuses } from "../../src/core/contract/transport/index.ts";
import { ask } from "../../src/operations/oracle/index.ts";
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

  it("the skill of oracle names only options and statuses there are", () => {
    const text = read("skills/oracle/SKILL.md");
    const front = /^---\n([^]*?)\n---\n/.exec(text)?.[1] ?? "";
    expect(/^name: (.+)$/m.exec(front)?.[1]).toBe("oracle");
    expect((/^description: (.+)$/m.exec(front)?.[1] ?? "").length).toBeLessThanOrEqual(1_024);
    const spelled = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const known = new Set([...Object.keys(ask.input).map(spelled), "json", "no-wait"]);
    const named = [...text.matchAll(/--([a-z][a-z-]+)/g)].map(([, name = ""]) => name);
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    for (const status of resultStatuses) expect(text, status).toContain(`\`${status}\``);
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
