// Namespaces inside the sandbox: possible where they were asked for, and no way out of it.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { beforeAll, describe, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { createCommandRunner, detectSandbox } from "./index.ts";

const { kind } = await detectSandbox({ path: process.env["PATH"] ?? "" });
const home = tempFolder("thehood-home-");
const runner = createCommandRunner({ environment: process.env, home });
const outside = tempFolder("thehood-outside-", "/var/tmp");
const inside = tempFolder("thehood-inside-");

beforeAll(() => {
  writeFileSync(join(home, "secret"), "a secret of the user\n");
  writeFileSync(join(outside, "kept"), "as it was\n");
});

const run = async (line: string, nested: boolean) => {
  const outcome = await runner.run({
    argv: ["bash", "-c", line],
    cwd: inside,
    writable: [inside],
    readable: [outside],
    nested,
    network: false,
    timeoutMs: 30_000,
    maxOutputBytes: 100_000,
  });
  return Buffer.from(outcome.stdout).toString();
};

const inner = "bwrap --unshare-user --unshare-net --ro-bind / / --dev /dev -- echo inner";

describe.skipIf(kind === "none")(
  `namespaces within namespaces${kind === "none" ? " (bubblewrap is not here)" : ""}`,
  () => {
    it("a program that confines its own children can do so when it was let, and only then", async () => {
      expect(await run(inner, true)).toBe("inner\n");
      expect(await run(inner, false)).toBe("");
    });

    it.each([
      ["remounts what is read-only", "mount -o remount,rw,bind /; mount -o remount,rw,bind OUT"],
      ["binds it elsewhere", "mkdir m; mount --rbind OUT m; mount -o remount,rw,bind m; echo bad > m/kept"],
      ["takes mounts away", "umount -l OUT; umount -l /root; umount -l /home; umount -l /tmp"],
      ["lays a writable folder over it", "mkdir u w; mount -t overlay o -o lowerdir=OUT,upperdir=u,workdir=w OUT"],
      ["enters the first process", "nsenter -t 1 -m -U bash -c 'echo bad > OUT/kept'"],
      ["walks out by the first process", "echo bad > /proc/1/root/OUT/kept; echo bad > /proc/1/cwd/OUT/kept"],
    ])("root of an inner namespace that %s changes nothing outside", async (_how, line) => {
      const hostile = `${line}; echo bad > OUT/kept; touch OUT/made /etc/thehood-made; echo done`.replaceAll(
        "OUT",
        outside,
      );
      expect(await run(`unshare -Urm bash -c ${JSON.stringify(hostile)}`, true)).toContain("done");
      expect(readFileSync(join(outside, "kept"), "utf8")).toBe("as it was\n");
      expect(existsSync(join(outside, "made")) || existsSync("/etc/thehood-made")).toBe(false);
    });

    it("what is hidden stays hidden in an inner namespace", async () => {
      const line =
        "umount -l HOME; mkdir -p m; mount --bind / m; mount --rbind / m; cat HOME/secret m/HOME/secret; echo done";
      const seen = await run(`unshare -Urm bash -c ${JSON.stringify(line.replaceAll("HOME", home))}`, true);
      expect(seen).toBe("done\n");
    });

    it("has no capability of its own, and no namespace gives it one outside", async () => {
      expect(await run("grep CapEff /proc/self/status", true)).toMatch(/CapEff:\s+0{16}/);
    });
  },
);

describe("a system without namespaces inside namespaces", () => {
  it("is reported before anything is started", async () => {
    expect(await createCommandRunner({ environment: process.env, nesting: "off" }).nests()).toBe(false);
    expect(await createCommandRunner({ environment: process.env, sandbox: "off" }).nests()).toBe(false);
  });

  it.skipIf(kind === "none")(`is found by trying${kind === "none" ? " (bubblewrap is not here)" : ""}`, async () => {
    expect(await runner.nests()).toBe((await run(inner, true)) === "inner\n");
  });
});
