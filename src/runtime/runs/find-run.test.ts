import { expect, it } from "vitest";
import type { EventLog, RunRow } from "../../core/contract/index.ts";
import { findRun } from "./find-run.ts";

const logOf = (createdAt: number): EventLog =>
  ({
    list: () => Promise.resolve([{ runId: "run_aaaaaaaa", createdAt } as RunRow]),
    row: () => Promise.resolve(undefined),
  }) as unknown as EventLog;

it("[B-18] a command without a run is about none when the newest one was made on a clock that was ahead", async () => {
  const now = () => 1_000_000_000;
  expect(await findRun(logOf(now()), undefined, now)).toBe("run_aaaaaaaa");
  await expect(findRun(logOf(now() + 86_400_000), undefined, now)).rejects.toMatchObject({
    failure: { code: "invalid_input", message: expect.stringContaining("The clock was moved") },
  });
  expect(await findRun(logOf(now() + 86_400_000), "aaaa", now)).toBe("run_aaaaaaaa");
});
