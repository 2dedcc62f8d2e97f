// Published sources of others, which hold no secret: how often the judge of secrets speaks all the same. `npm run test:projects` fetches them.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { findSecrets } from "../../src/core/secrets/index.ts";
import list from "./clean-sources.json" with { type: "json" };

const folder = join(process.env["THEHOOD_PROJECTS_DIR"] ?? "", "clean-sources");
const isSource = /\.(?:[cm]?[jt]sx?|json|md|ya?ml|go|py|rst|txt|toml|cfg|html)$/;
const total = { lines: 0, findings: [] as string[] };

function sources(place: string): string[] {
  return readdirSync(place, { withFileTypes: true }).flatMap((entry) => {
    const path = join(place, entry.name);
    if (entry.isDirectory()) return sources(path);
    return entry.isFile() && isSource.test(entry.name) && statSync(path).size < 1_000_000 ? [path] : [];
  });
}

describe("[S-2] published sources without secrets", () => {
  for (const { name } of list) {
    const there = existsSync(join(folder, name));
    it.skipIf(!there)(there ? name : `${name} (skipped: it is not in the folder of the projects)`, () => {
      const found: string[] = [];
      for (const file of sources(join(folder, name))) {
        const text = readFileSync(file, "utf8");
        total.lines += text.split("\n").length;
        for (const { label, start } of findSecrets(text, { file })) found.push(`${label} in ${file} at ${start}`);
      }
      total.findings.push(...found);
      expect(found.length, found.join("\n")).toBeLessThanOrEqual(2);
    });
  }

  it("give at most one finding in 100,000 lines together", () => {
    expect(total.findings.length, total.findings.join("\n")).toBeLessThanOrEqual(Math.max(1, total.lines / 100_000));
  });
});
