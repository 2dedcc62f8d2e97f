// Secrets that we keep: in the keychain where the system has one, else in a file that only its owner can read.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { playKeychain } from "../../../tests/support/keychain-program.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { findKeychain, keepSecret, readKept, whereKept } from "./index.ts";

const hex = /^[0-9a-f]{64}$/;
const systems = [
  ["secret-tool", "linux", "libsecret"],
  ["security", "darwin", "macOS Keychain"],
] as const;

function scene(name: "secret-tool" | "security", platform: NodeJS.Platform) {
  const played = playKeychain(name);
  const find = (wanted: string) => (wanted === name ? join(played.folder, name) : undefined);
  const keychain = findKeychain({ PATH: process.env["PATH"] }, find, platform);
  if (!keychain) throw new Error("no keychain");
  return { played, keychain, path: join(tempFolder(), "deep", "state", "keys") };
}

describe.each(systems)("[S-1] with the keychain of %s", (name, platform, shown) => {
  it("the value is there, and neither the file nor a list of processes shows it", async () => {
    const { played, keychain, path } = scene(name, platform);
    expect(await whereKept(path, keychain)).toBe(`none yet; it would be the keychain (${shown})`);
    const { text, where } = await keepSecret(path, keychain);
    expect(text).toMatch(hex);
    expect(where).toBe(`the keychain (${shown})`);
    expect(readFileSync(path, "utf8")).toMatch(/^keychain keys [0-9a-f]{12}\n$/);
    expect(Object.values(played.entries()).map((value) => value.trim())).toEqual([text]);
    expect(played.calls()).not.toContain(text);
    expect(await keepSecret(path, keychain)).toEqual({ text, where });
    expect(await whereKept(path, keychain)).toBe(where);
  });

  it("one that does not answer leaves a private file, and says why", async () => {
    const { played, keychain, path } = scene(name, platform);
    played.lock();
    expect(await whereKept(path, keychain)).toMatch(/^none yet; it would be the file .*keys \(0600\)\. The keychain/);
    const { text, where } = await keepSecret(path, keychain);
    expect(where).toBe(`the file ${path} (0600)`);
    expect(readFileSync(path, "utf8")).toBe(`${text}\n`);
  });

  it("a value that it kept is not replaced when it does not answer, or has lost it", async () => {
    const { played, keychain, path } = scene(name, platform);
    await keepSecret(path, keychain);
    const pointer = readFileSync(path, "utf8");
    for (const now of [undefined, keychain]) {
      played.lock();
      await expect(keepSecret(path, now)).rejects.toThrow(/keychain/i);
      expect(readFileSync(path, "utf8")).toBe(pointer);
    }
  });
});

describe("[S-1] without a keychain", () => {
  const path = () => join(tempFolder(), "a", "b", "keys");

  it("the file is made with its folders, for its owner only, and stays as it is", async () => {
    const at = path();
    const first = await keepSecret(at, undefined);
    expect(first).toMatchObject({ text: expect.stringMatching(hex) as string, where: `the file ${at} (0600)` });
    expect(statSync(at).mode & 0o777).toBe(0o600);
    expect(statSync(join(at, "..")).mode & 0o777).toBe(0o700);
    expect(await keepSecret(at, undefined)).toEqual(first);
    expect(await whereKept(join(at, "..", "other"), undefined)).toContain("no keychain program here");
  });

  it("a file of an earlier version is used as it is, also where there is a keychain", async () => {
    const { played, keychain, path: at } = scene("secret-tool", "linux");
    mkdirSync(join(at, ".."), { recursive: true });
    writeFileSync(at, "ab\ncd\n", { mode: 0o600 });
    expect(await keepSecret(at, keychain)).toEqual({ text: "ab\ncd", where: `the file ${at} (0600)` });
    expect(played.calls()).toBe("");
  });

  it.each([0o640, 0o660, 0o610, 0o620, 0o604, 0o602, 0o644])("a file with mode %o is refused", async (mode) => {
    const at = path();
    await keepSecret(at, undefined);
    chmodSync(at, mode);
    await expect(keepSecret(at, undefined)).rejects.toThrow("Other users can read");
    await expect(readKept(at, undefined)).rejects.toThrow("Other users can read");
  });

  it("an empty file is reported, and not used as a secret", async () => {
    const at = path();
    mkdirSync(join(at, ".."), { recursive: true });
    writeFileSync(at, "", { mode: 0o600 });
    await expect(keepSecret(at, undefined)).rejects.toThrow("is empty");
    rmSync(at);
    expect(await readKept(at, undefined)).toBeUndefined();
  });

  it("of many processes at once all use the same one", async () => {
    const at = path();
    const made = await Promise.all(Array.from({ length: 20 }, () => keepSecret(at, undefined)));
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
  });

  const hasStrace = spawnSync("strace", ["-e", "trace=none", "true"]).status === 0;
  it.skipIf(!hasStrace)("[B-30] the file, its name and every new folder are on the disk before it is used", () => {
    const folder = tempFolder();
    const trace = join(folder, "trace");
    const at = join(folder, "state", "gateway", "keys");
    const room = JSON.stringify(join(import.meta.dirname, "index.ts"));
    const code = `import { keepSecret } from ${room}; await keepSecret(${JSON.stringify(at)}, undefined);`;
    const words = ["-f", "-y", "-o", trace, "-e", "trace=fsync,link,linkat", process.execPath];
    const ran = spawnSync("strace", [...words, "--input-type=module", "-e", code], { encoding: "utf8" });
    expect(ran.status, ran.stderr).toBe(0);
    const calls = readFileSync(trace, "utf8")
      .split("\n")
      .flatMap((line) => /\b(fsync\(\d+<([^>]*)>|link(?:at)?\()/.exec(line)?.slice(1, 3) ?? [])
      .filter((part) => part !== undefined)
      .map((part) => (part.startsWith("link") ? "link" : part))
      .filter((part) => !part.startsWith("fsync("));
    const gateway = join(folder, "state", "gateway");
    expect(calls.map((call) => call.replace(/\.\d+\.new\.tmp$/, ".new"))).toEqual([
      folder,
      join(folder, "state"),
      `${at}.new`,
      "link",
      gateway,
    ]);
  });
});
