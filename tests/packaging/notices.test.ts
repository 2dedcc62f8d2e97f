// The notices that are shipped name every package whose code is shipped, with its licence text.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { bundle, bundlePages } from "../../scripts/build/bundle.ts";
import { bundledPackages, headingOf, type BundledPackage } from "../../scripts/build/notices.ts";

const project = resolve(import.meta.dirname, "../..");
const notices = readFileSync(join(project, "THIRD_PARTY_NOTICES"), "utf8");

/** The package named by an import that is more than a type: "zod" of "zod/v4", "@a/b" of "@a/b/c". */
const importPattern =
  /(?:^(?:import|export)(?! type)[^;"]*? from|await import\()\s*"((?:@[\w-]+\/)?[a-z][\w-]*)(?:\/[^"]*)?"/gm;

describe("the notices", () => {
  const made = tempFolder("thehood-notices-");
  let packages: BundledPackage[];
  beforeAll(async () => {
    packages = bundledPackages(project, [...(await bundle(project, made)), ...(await bundlePages(project, made))]);
  });

  it("[B-23] hold the licence text of every bundled package", () => {
    expect(packages.length).toBeGreaterThan(5);
    for (const one of packages) {
      expect(notices).toContain(headingOf(one));
      expect(notices).toContain(one.text);
    }
  });

  it("[B-23] name every package that our sources import and the wasm files come from", () => {
    const sources = readdirSync(join(project, "src"), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts") && !/fixtures\/|\.(?:test|fuzz|crash|bench)\.ts$/.test(path))
      .map((path) => readFileSync(join(project, "src", path), "utf8"));
    const imported = sources
      .flatMap((text) => [...text.matchAll(importPattern)])
      .map(([, name = ""]) => name)
      .filter((name) => !isBuiltin(name));
    expect(imported).toContain("zod");
    // Nothing that is shipped reads archives with it; the reader is held to its cases by tests.
    const unshipped = ["yauzl"];
    expect(packages.map(({ name }) => name).filter((name) => unshipped.includes(name))).toEqual([]);
    for (const name of new Set([
      ...imported.filter((one) => !unshipped.includes(one)),
      "tree-sitter-bash",
      "web-tree-sitter",
    ]))
      expect(notices).toContain(`\n${name} `);
  });

  it("[B-23] cannot be made while a bundled package has no licence text", () => {
    const root = tempFolder();
    const folder = join(root, "node_modules", "@some", "thing");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "name": "@some/thing", "version": "1.0.0", "license": "MIT" }');
    const modules = [join(root, "src/ours.ts"), join(folder, "lib", "index.js")];
    expect(() => bundledPackages(root, modules)).toThrow("@some/thing is bundled and has no licence");
    writeFileSync(join(folder, "LICENSE"), "Do what you like.\n");
    expect(bundledPackages(root, modules)).toEqual([
      { name: "@some/thing", version: "1.0.0", license: "MIT", text: "Do what you like." },
    ]);
  });
});
