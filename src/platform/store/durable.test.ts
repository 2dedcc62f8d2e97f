// An append is acknowledged when it is on the disk: seen from outside, by the system calls of a real program.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";

const strace = spawnSync("strace", ["-V"]).status === 0;

describe.skipIf(!strace)("[B-15] an append (needs strace)", () => {
  it("is synced after its last byte and before it is reported", () => {
    const folder = tempFolder("durable-store-");
    const trace = join(folder, "trace");
    const program = `import { openStore } from ${JSON.stringify(join(import.meta.dirname, "index.ts"))};
      const store = openStore(${JSON.stringify(join(folder, "s"))}, { clock: { now: () => 1 } });
      const row = { runId: "run_000000", createdAt: 1, goal: "g", mode: "plan", state: "created", brief: {} };
      for (const seq of [0, 1, 2]) {
        await store.log.append({ runId: "run_000000", expectedSeq: seq, at: 5, events: [{ type: "x" }], row });
        console.log("reported " + seq);
      }`;
    const calls = "trace=pwrite64,fsync,fdatasync,write,ftruncate";
    const ran = spawnSync(
      "strace",
      ["-f", "-y", "-o", trace, "-e", calls, process.execPath, "--input-type=module", "-e", program],
      { encoding: "utf8" },
    );
    expect(ran.stdout).toBe("reported 0\nreported 1\nreported 2\n");
    const lines = readFileSync(trace, "utf8")
      .split("\n")
      .flatMap((line) => {
        if (/write\(.*"reported/.test(line)) return ["reported"];
        if (!line.includes("store.db")) return [];
        return [/sync\(/.test(line) ? "synced" : "written"];
      });
    const reported = lines.flatMap((word, place) => (word === "reported" ? [place] : []));
    expect(reported).toHaveLength(3);
    for (const place of reported) expect(lines[place - 1]).toBe("synced");
    expect(lines).toContain("written");
  });
});
