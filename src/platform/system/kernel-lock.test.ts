import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { kernelLock, tryKernelLock } from "./kernel-lock.ts";

/** Takes the lock in a process of its own and says so. */
function holder(file: string) {
  const program = `const { tryKernelLock } = await import(${JSON.stringify(join(import.meta.dirname, "kernel-lock.ts"))});
    const lock = tryKernelLock(${JSON.stringify(file)}); console.log(lock ? "held" : "busy"); setInterval(() => lock, 1000);`;
  return spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "ignore"],
  });
}

describe("[B-16] a lock that the kernel holds", () => {
  it("has one holder, in this process and in others, and dies with a holder that is killed", async () => {
    const file = join(tempFolder("lock-"), "lock.db");
    const child = holder(file);
    const [said] = (await once(child.stdout, "data")) as [Buffer];
    expect(said.toString()).toBe("held\n");
    expect(tryKernelLock(file)).toBeUndefined();
    const waiting = kernelLock(file, 60_000);
    child.kill("SIGKILL");
    const lock = await waiting;
    expect(lock).toBeDefined();
    expect(tryKernelLock(file)).toBeUndefined();
    lock?.release();
    const again = tryKernelLock(file);
    expect(again).toBeDefined();
    again?.release();
  });

  it("is free when a power loss left an empty file, or something else is in its place", () => {
    for (const content of ["", '[{"pid": 1}]', "x".repeat(9_000)]) {
      const file = join(tempFolder("lock-"), "lock.db");
      writeFileSync(file, content);
      const lock = tryKernelLock(file);
      expect(lock).toBeDefined();
      lock?.release();
    }
  });
});
