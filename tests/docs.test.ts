// What the documents say can be typed: links lead somewhere, commands and options exist, generated pages are as the code.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { canonPages } from "../scripts/reference/canon.ts";
import { withParts } from "../scripts/reference/parts.ts";
import { configKeys, failureClasses, repoConfig, roles, stopReasons, userConfig } from "../src/core/contract/index.ts";
import { gateTable } from "../src/core/machine/gate/table.ts";
import { recipes } from "../src/operations/recipes/table.ts";
import { operations } from "../src/operations/index.ts";
import { commandsOf, type Program } from "../src/surfaces/argv/index.ts";
import { hoodProgram } from "../src/surfaces/cli/index.ts";
import { oracleProgram } from "../src/surfaces/oracle-cli/index.ts";

const root = resolve(import.meta.dirname, "..");
const pages = [
  "README.md",
  "SECURITY.md",
  "PRIVACY.md",
  "CODE_OF_CONDUCT.md",
  ...["docs", "docs/guides", "docs/reference"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`),
  ),
];
const read = (page: string): string => readFileSync(join(root, page), "utf8");

/** The lines of code blocks that call a program of ours, without comments and without what is piped on. */
function calls(page: string): string[] {
  const blocks = [...read(page).matchAll(/^```(?:sh|bash|)?\n([\s\S]*?)^```/gm)].map(([, text]) => text ?? "");
  return blocks
    .flatMap((text) => text.split("\n"))
    .map((line) => line.replace(/\s#.*$/, "").trim())
    .filter((line) => /^(?:thehood|oracle)(?:\s|$)/.test(line))
    .flatMap((line) => line.split(/\s[|&;]+\s/))
    .filter((line) => /^(?:thehood|oracle)\s/.test(line));
}

function problemOf<C>(program: Program<C>, line: string): string | undefined {
  const words = line.match(/"[^"]*"|'[^']*'|\S+/g)?.slice(1) ?? [];
  const specs = commandsOf(program).map(({ spec }) => spec);
  const [first = "", second = ""] = words;
  const spec =
    specs.find(({ name }) => name === `${first} ${second}`) ??
    specs.find(({ name }) => name === first) ??
    (first.startsWith("-") || first.startsWith('"') ? specs.find(({ name }) => name === "") : undefined);
  const isRoot = first.startsWith("-") || first.startsWith('"');
  if (!spec && !isRoot) return `no command "${first}"`;
  const known = new Set([
    "json",
    "quiet",
    "verbose",
    "help",
    "repo",
    "version",
    "color",
    ...((spec ?? { options: specs.flatMap(({ options = [] }) => options) }).options?.map(({ name }) => name) ?? []),
  ]);
  const until = words.indexOf("--");
  const unknown = (until < 0 ? words : words.slice(0, until))
    .filter((word) => word.startsWith("--"))
    .map((word) => word.slice(2).split("=")[0] ?? "")
    .find((name) => !known.has(name) && !known.has(name.replace(/^no-/, "")));
  return unknown === undefined || isRoot ? undefined : `${spec?.name} has no option --${unknown}`;
}

describe("the documents", () => {
  it.each(pages)("%s: every link leads to a file", (page) => {
    const links = [...read(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link]) => link ?? "");
    const local = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(local.filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([]);
  });

  it.each(pages.filter((page) => calls(page).length > 0))("%s: every command and option exists", (page) => {
    const hood = hoodProgram({} as never, operations);
    const oracle = oracleProgram({} as never);
    const wrong = calls(page).flatMap((line) => {
      const problem = line.startsWith("oracle") ? problemOf(oracle, line) : problemOf(hood, line);
      return problem === undefined ? [] : [`${line}: ${problem}`];
    });
    expect(wrong).toEqual([]);
  });

  it("every document is named in the index or beside it", () => {
    const index = read("docs/README.md");
    const missing = pages.filter((page) => page.startsWith("docs/") && page !== "docs/README.md");
    expect(missing.filter((page) => !index.includes(page.slice("docs/".length)))).toEqual([]);
  });

  it("[B-32] the README is read in minutes and shows a recording that plays without a script", () => {
    const readme = read("README.md");
    expect(readme.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(700);
    expect(readme.split("\n").slice(0, 12).join("\n")).toContain("(docs/images/recording.svg)");
    const picture = read("docs/images/recording.svg");
    expect(Buffer.byteLength(picture)).toBeLessThan(500_000);
    expect(picture).toContain("@keyframes");
    expect(picture).not.toMatch(/<script|<foreignObject|href="(?!#)|url\(/);
    // The result gate with its evidence, and the end of the run.
    expect(picture).toContain("Would your tests notice a mistake in the changed lines?");
    expect(picture).toMatch(/>[^<]*Done/);
  });

  it("the reference pages, the schemas and the manual pages are as the code makes them", () => {
    const script = join(root, "scripts/reference.mjs");
    expect(() => execFileSync(process.execPath, [script, "--check"], { cwd: root, stdio: "pipe" })).not.toThrow();
  });

  it("the pages about roles, loop, memory, answers, providers, trust and recipes hold the tables of the code", () => {
    for (const [page, parts] of Object.entries(canonPages)) {
      expect(withParts(read(page), parts), page).toBe(read(page));
      for (const [name, part] of Object.entries(parts)) {
        expect(part.length, `${page} ${name}`).toBeGreaterThan(40);
        // A line that somebody changed by hand is written again, and so found by --check.
        expect(withParts(read(page).replace(part, "changed"), parts)).toBe(read(page));
      }
    }
    const loop = read("docs/guides/loop.md");
    for (const name of [...failureClasses, ...stopReasons, ...Object.keys(gateTable)])
      expect(loop).toContain(`\`${name}\``);
    for (const role of roles) expect(read("docs/guides/roles.md")).toContain(`| \`${role}\` |`);
    for (const { id } of recipes) expect(read("docs/guides/recipes.md")).toContain(`| \`${id}\` |`);
  });

  it("a made part without its place, and a place without its part, are mistakes", () => {
    const page = "<!-- made: one -->\nold\n<!-- /made -->\n";
    expect(withParts(page, { one: "new" })).toContain("\nnew\n");
    expect(() => withParts(page, { one: "a", two: "b" })).toThrow("two");
    expect(() => withParts(page, {})).toThrow("one");
    expect(() => withParts("<!-- made: one -->\n", { one: "a" })).toThrow("no end");
  });

  it("privacy, conduct and security are in the npm package", () => {
    const { files } = JSON.parse(read("package.json")) as { files: string[] };
    for (const name of ["PRIVACY.md", "CODE_OF_CONDUCT.md", "SECURITY.md", "docs"]) expect(files).toContain(name);
  });

  it("each key of the configuration has a sentence of its own", () => {
    const bare = read("docs/reference/configuration.md").matchAll(/^\| `([^`]+)` .* See the schema\. \|$/gm);
    expect(
      [...bare].map(([, key]) => key),
      "write a sentence for these keys in scripts/reference/config-words.ts",
    ).toEqual([]);
  });

  it("the keys that completions offer can be set", () => {
    for (const key of configKeys) {
      const [top = "", ...rest] = key.split(".");
      const wrong = rest.reduceRight<unknown>((value, name) => ({ [name]: value }), { nonsense: [] });
      const { error } = userConfig.safeParse({ [top]: wrong });
      expect(
        error?.issues.map(({ code }) => code),
        key,
      ).not.toContain("unrecognized_keys");
    }
    expect(repoConfig.safeParse({ version: 1, providers: {} }).success).toBe(false);
  });
});
