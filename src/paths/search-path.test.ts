import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../tests/support/temp-folder.ts";
import { searchPath } from "./index.ts";

describe("where programs are looked for", () => {
  it("[S-4] nowhere in the repository, nor in a folder named in part, whatever link leads there", () => {
    const top = tempFolder("search-path-");
    const repo = join(top, "repo");
    mkdirSync(join(repo, "node_modules", ".bin"), { recursive: true });
    mkdirSync(join(top, "repo-tools"));
    mkdirSync(join(top, "bin"));
    symlinkSync(join(repo, "node_modules"), join(top, "link"));
    const path = [
      join(repo, "node_modules", ".bin"),
      repo,
      join(top, "link", ".bin"),
      ".",
      "",
      "node_modules/.bin",
      join(top, "bin"),
      join(top, "repo-tools"),
      join(top, "nowhere"),
    ].join(":");
    const outside = [join(top, "bin"), join(top, "repo-tools")].join(":");
    expect(searchPath(path, repo, join(top, "home"))).toBe(outside);
    expect(searchPath(undefined, repo, join(top, "home"))).toBe("");
  });

  it("also in the user's home, when that is where one stands, but never in part", () => {
    const home = tempFolder("search-home-");
    const bin = join(home, ".local", "bin");
    mkdirSync(bin, { recursive: true });
    for (const root of [home, "/"]) expect(searchPath(`.:${bin}:bin`, root, home)).toBe(bin);
    expect(searchPath(bin, join(home, ".local"), home)).toBe("");
  });
});
