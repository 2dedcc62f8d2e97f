import { expect, it } from "vitest";
import { advanceDetached } from "./advance.ts";

it("a run that another process advances has the limit of rounds that was asked for", async () => {
  const asked: object[] = [];
  const runs = { repo: "/x", idle: async () => false } as never;
  const ports = { detach: async (...how: unknown[]) => void asked.push(how) } as never;
  const deps = { ports, signal: AbortSignal.timeout(1_000), tell: () => undefined };
  expect(await advanceDetached(runs, "run_0", { from: 0, maxCycles: 2 }, deps)).toBe("followed");
  expect(asked).toEqual([["/x", "run_0", { besideOnly: false, maxCycles: 2 }]]);
});
