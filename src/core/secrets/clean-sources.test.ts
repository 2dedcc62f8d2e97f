// Source code that is known to hold no secret: the packages this project is built with.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findSecrets } from "./index.ts";

const root = join(import.meta.dirname, "../../..");
const packages = ["tinyglobby", "zod", "fast-check", "yauzl", "ignore", "tinyglobby", "jsonc-parser", "micromark"];
const isSource = /\.(?:[cm]?[jt]s|json|md|ya?ml)$/;

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return isSource.test(entry.name) && statSync(path).size < 1_000_000 ? [path] : [];
  });
}

describe("clean source code", () => {
  it("gives at most one finding in 10,000 lines", () => {
    const files = packages.flatMap((name) => sources(join(root, "node_modules", name)));
    let lines = 0;
    const found: string[] = [];
    for (const file of files) {
      const text = readFileSync(file, "utf8");
      lines += text.split("\n").length;
      for (const { label, start } of findSecrets(text, { file })) found.push(`${label} in ${file} at ${start}`);
    }
    expect(lines).toBeGreaterThan(100_000);
    expect(found.length / lines).toBeLessThanOrEqual(1 / 10_000);
  });

  it("gives none in a lock file and in this project's own sources", () => {
    const own = [
      join(root, "package-lock.json"),
      ...sources(join(root, "src")).filter((file) => !/\.(test|fuzz)\.ts$|fixtures/.test(file)),
    ];
    const found = own.flatMap((file) =>
      findSecrets(readFileSync(file, "utf8"), { file }).map(({ label, start }) => `${label} in ${file} at ${start}`),
    );
    expect(found).toEqual([]);
  });
});
