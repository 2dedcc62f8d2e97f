// Trouble of the store while the page server waits for gates.
import { expect, it } from "vitest";
import { FailureError } from "../../core/contract/index.ts";
import type { Home } from "../../operations/run-data/index.ts";
import { notify } from "./notify.ts";

const row = { group: "waits", gate: { id: "gate_2" }, goal: "fix it", why: "approve", risk: "low" };
const homeWith = (...rows: object[]): Home => ({ rows }) as unknown as Home;
const away = new FailureError({ code: "store_io", message: "the database is away" });

async function notified(answers: (Home | Error)[]): Promise<string[]> {
  const lines: string[] = [];
  const ending = new AbortController();
  const readHome = (): Promise<Home> => {
    const next = answers.shift();
    if (answers.length === 0) ending.abort();
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next ?? homeWith());
  };
  const notices = {
    desktop: false,
    find: () => undefined,
    webhook: null,
    say: (line: string) => void lines.push(line),
  };
  await notify(readHome, notices, "linux", ending.signal);
  return lines;
}

it("[B-17] a store that is away for a moment ends nothing: the gate that waits afterwards is reported", async () => {
  const lines = await notified([homeWith(), away, homeWith(row)]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("fix it");
}, 30_000);

it("a bug is no trouble of the store: it is thrown", async () => {
  await expect(notified([homeWith(), new TypeError("a bug"), homeWith()])).rejects.toThrow("a bug");
}, 30_000);
