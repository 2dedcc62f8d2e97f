// Starting on a Node that is too old: a clone starts its own Node, an installed package says which Node it needs.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";

const project = resolve(import.meta.dirname, "../..");

/** A copy of the package's programs; `old` starts one as a Node of 2023 would, which is told to it before it begins. */
function makePackage() {
  const folder = tempFolder("thehood-launch-");
  cpSync(join(project, "bin"), join(folder, "bin"), { recursive: true });
  symlinkSync(join(project, "dist"), join(folder, "dist"));
  const older = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.9.0" } });`;
  const hook = `data:text/javascript,${encodeURIComponent(older)}`;
  const old = (...args: string[]) =>
    spawnSync(process.execPath, ["--import", hook, join(folder, "bin", "thehood.js"), ...args], {
      encoding: "utf8",
    });
  /** Each Node that is started is an old one. */
  const allOld = (...args: string[]) =>
    spawnSync(process.execPath, [join(folder, "bin", "thehood.js"), ...args], {
      encoding: "utf8",
      env: { ...process.env, NODE_OPTIONS: `--import=${hook}` },
    });
  return { folder, old, allOld };
}

function addOwnNode(folder: string): void {
  const bin = join(folder, ".build", "node", "node_modules", "node-some-platform", "bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(process.execPath, join(bin, process.platform === "win32" ? "node.exe" : "node"));
}

describe("a Node that is too old", () => {
  it("[B-23] learns which Node an installed package needs", () => {
    const { status, stderr, stdout } = makePackage().old("--version");
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain("thehood needs Node 24 or newer");
    expect(stderr).toContain("npm install --global node@24");
  });

  it("[B-23] starts the Node of a clone, which ends the same way", () => {
    const { folder, old } = makePackage();
    addOwnNode(folder);
    expect(old("--version")).toMatchObject({ status: 0, stderr: "" });
    expect(old("no-such-command").status).toBe(2);
  });

  it("[B-23] starts no third Node where that of the clone is too old as well", () => {
    const { folder, allOld } = makePackage();
    addOwnNode(folder);
    const { status, stderr } = allOld("--version");
    expect(status).toBe(1);
    expect(stderr.match(/needs Node 24 or newer/g)).toHaveLength(1);
  });
});
