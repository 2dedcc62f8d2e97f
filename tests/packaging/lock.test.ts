// The lock: `npm ci` accepts it on every platform, also where a registry mirror lacked other platforms' bindings.
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { completeLock, missingBindings, platformOf, type Lock } from "../../scripts/lock/complete.ts";

const project = resolve(import.meta.dirname, "../..");
const readLock = (path: string) => JSON.parse(readFileSync(join(project, path), "utf8")) as Lock;

describe("the lock", () => {
  it.each(["package-lock.json", "scripts/node/package-lock.json"])(
    "[B-23] %s holds the bindings of every platform",
    (path) => expect(missingBindings(readLock(path))).toEqual([]),
  );

  it("[B-23] is accepted by npm ci", () => {
    const folder = tempFolder("thehood-lock-");
    for (const name of ["package.json", "package-lock.json", ".npmrc"]) cpSync(join(project, name), join(folder, name));
    const ran = spawnSync("npm", ["ci", "--dry-run", "--offline"], { cwd: folder, encoding: "utf8" });
    expect(ran.stderr).not.toMatch(/EUSAGE|Missing/);
    expect(ran.status).toBe(0);
  });
});

describe("completing a lock", () => {
  const owner = { version: "2.0.0", optionalDependencies: { "@x/binding-linux-arm64-musl": "2.0.0" } };
  const binding = { cpu: ["arm64"], os: ["linux"], libc: ["musl"], optional: true };

  it("adds a missing binding beside its owner", () => {
    const lock = { packages: { "": {}, "node_modules/x": { ...owner, dev: true } } };
    expect(completeLock(lock).packages).toEqual({
      ...lock.packages,
      "node_modules/@x/binding-linux-arm64-musl": { version: "2.0.0", ...binding, dev: true },
    });
  });

  it("adds it in the nested folder where the outer one has another version", () => {
    const outer = { version: "1.0.0", ...binding };
    const packages = {
      "": {},
      "node_modules/@x/binding-linux-arm64-musl": outer,
      "node_modules/v/node_modules/x": owner,
    };
    expect(completeLock({ packages }).packages).toEqual({
      ...packages,
      "node_modules/v/node_modules/@x/binding-linux-arm64-musl": { version: "2.0.0", ...binding },
    });
  });

  it("changes nothing in a whole lock", () => {
    const lock = completeLock({ packages: { "": {}, "node_modules/x": owner } });
    expect(completeLock(lock)).toEqual(lock);
  });

  it.each([
    ["@oxlint/binding-win32-ia32-msvc", { cpu: ["ia32"], os: ["win32"] }],
    ["@oxlint/binding-linux-arm-gnueabihf", { cpu: ["arm"], os: ["linux"], libc: ["glibc"] }],
    ["@oxlint-tsgolint/darwin-arm64", { cpu: ["arm64"], os: ["darwin"] }],
    ["@rolldown/binding-wasm32-wasi", { cpu: ["wasm32"] }],
  ])("reads the platform of %s", (name, platform) => expect(platformOf(name)).toEqual(platform));

  it("refuses a name that tells no platform", () => {
    expect(() => platformOf("left-pad")).toThrow("does not name a platform");
  });
});
