import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { namedProgram, searchPath } from "./index.ts";

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

  it("also in the user's home, when that is the current folder, but never in part", () => {
    const home = tempFolder("search-home-");
    const bin = join(home, ".local", "bin");
    mkdirSync(bin, { recursive: true });
    for (const root of [home, "/"]) expect(searchPath(`.:${bin}:bin`, root, home)).toBe(bin);
    expect(searchPath(bin, join(home, ".local"), home)).toBe("");
  });
});

describe("[S-4] a program that a variable names", () => {
  it("is a plain name or an address outside the repository, also behind links", () => {
    const top = tempFolder("named-program-");
    const repo = join(top, "repo");
    for (const folder of ["repo/bin", "tools"]) mkdirSync(join(top, folder), { recursive: true });
    writeFileSync(join(repo, "bin/codex"), "");
    writeFileSync(join(top, "tools/codex"), "");
    symlinkSync(join(repo, "bin/codex"), join(top, "tools/link"));
    const named = (value?: string) => namedProgram(value, repo, join(top, "home"));
    expect(named("codex")).toBe("codex");
    expect(named(join(top, "tools/codex"))).toBe(join(top, "tools/codex"));
    for (const bad of ["", "./codex", "bin/codex", join(repo, "bin/codex"), join(top, "tools/link")])
      expect(named(bad), bad).toBeUndefined();
    expect(named()).toBeUndefined();
  });
});
