import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { detectSandbox } from "../../src/platform/sandbox/index.ts";
import { placedLines } from "./places.ts";
import { mutatedLines, tryInShell } from "./shell.ts";

const confined = (await detectSandbox()).kind === "bubblewrap";
const hasBash = execFileSync("sh", ["-c", "command -v bash || true"]).length > 0;

it.skipIf(!confined || !hasBash)("[S-9] what bash really runs was judged (needs bubblewrap and bash)", async () => {
  const trial = await tryInShell(mutatedLines(20_260_101, 2500), 50_000);
  expect(trial.ran).toBeGreaterThan(10);
  expect(trial.escaped).toEqual([]);
});

it.skipIf(!confined || !hasBash)(
  "[S-9] a program that bash runs in any place of its grammar was judged (needs bubblewrap and bash)",
  async () => {
    // One line in 60, spread over all places; the long set tries every line.
    const some = placedLines().filter((_, index) => index % 60 === 0);
    const trial = await tryInShell(some, 200_000);
    expect(trial.judged).toBeGreaterThan(1_000);
    expect(trial.escaped).toEqual([]);
  },
);
