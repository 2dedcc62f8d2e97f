import { afterAll, expect } from "vitest";
import { readFileSync, appendFileSync } from "node:fs";
const cpuNow = () =>
  readFileSync("/proc/self/stat", "utf8").split(") ")[1]!.split(" ").slice(11, 15).map(Number);
const cpuAtStart = cpuNow();
const wallStart = Date.now();
afterAll(() => {
  const n = cpuNow();
  const d = n.map((a, i) => (a - cpuAtStart[i]!) / 100);
  appendFileSync(
    process.env["CPU_LOG"] ?? "/tmp/cpu.log",
    JSON.stringify({
      file: expect.getState().testPath,
      delta: d.reduce((a, b) => a + b, 0),
      own: d[0]! + d[1]!,
      kids: d[2]! + d[3]!,
      wall: (Date.now() - wallStart) / 1000,
    }) + "\n",
  );
});
