// A hundred thousand paths through a tree of links.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { tryPaths } from "../../../tests/support/try-paths.ts";

describe("[S-8] opening below a root", () => {
  it("never leads out, in a hundred thousand tries", () => {
    const base = tempFolder("paths-");
    const root = join(base, "repo");
    mkdirSync(join(root, "src"), { recursive: true });
    mkdirSync(join(base, "outside"));
    writeFileSync(join(base, "outside", "secret.txt"), "outside");
    writeFileSync(join(root, "src", "a.txt"), "inside");
    expect(tryPaths(base, root, 100_000)).toBeGreaterThan(500);
    rmSync(base, { recursive: true });
  });
});
