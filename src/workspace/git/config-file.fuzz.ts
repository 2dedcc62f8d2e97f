// Our reading of git's configuration against git's own, on files made of everything its syntax knows.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, it } from "vitest";
import { compareWithGit, configText } from "../../../tests/support/config-compare.ts";

describe("the configuration reader", () => {
  it("sees every key that git sees, in ten thousand files", () => {
    const folder = mkdtempSync(join(tmpdir(), "config-"));
    const read = (text: string) => {
      writeFileSync(join(folder, "config"), text);
      return execFileSync("git", ["config", "-z", "--list", "-f", join(folder, "config")], {
        stdio: ["ignore", "pipe", "ignore"],
      });
    };
    fc.assert(
      fc.property(configText, (text) => compareWithGit(text, read)),
      { numRuns: 10_000 },
    );
    rmSync(folder, { recursive: true });
  });
});
