import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { neededFolders } from "./find.ts";

const root = tempFolder("thehood-find-");
const home = join(root, "home");

function file(...at: string[]): string {
  const path = join(root, ...at);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
  return path;
}

describe("what an agent program needs to read", () => {
  const needs = (path: string, args: string[] = []) => neededFolders(path, { home, variables: {}, settings: { args } });

  it("its own folder, or all the packages it was installed with", () => {
    const real = file("lib", "node_modules", "agent", "bin", "agent.js");
    const link = join(root, "bin", "agent");
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(real, link);
    expect(needs(link)).toEqual([join(root, "bin"), join(root, "lib", "node_modules")]);
  });

  it("the folder of a script among its words, but of nothing that is not a file", () => {
    const script = file("home", "tools", "agent.mjs");
    expect(needs(file("bin2", "node"), ["--flag", script, join(root, "nowhere"), home])).toEqual([
      join(root, "bin2"),
      join(home, "tools"),
    ]);
  });

  it("[S-3] never the home itself or what holds it: such a program is shown alone", () => {
    expect(needs(file("home", "agent"))).toEqual([join(home, "agent")]);
    expect(needs(file("agent"))).toEqual([join(root, "agent")]);
  });
});
