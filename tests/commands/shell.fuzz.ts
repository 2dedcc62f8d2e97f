import { expect, it } from "vitest";
import { detectSandbox } from "../../src/platform/sandbox/index.ts";
import { placedLines } from "./places.ts";
import { mutatedLines, tryInShell } from "./shell.ts";

const confined = (await detectSandbox()).kind === "bubblewrap";

it.skipIf(!confined)("[S-9] 500,000 mutated lines: what bash really runs was judged (needs bubblewrap)", async () => {
  for (let round = 0; round < 10; round += 1) {
    const trial = await tryInShell(mutatedLines(round * 7919 + 1, 50_000), 1_200_000);
    expect(trial.escaped).toEqual([]);
  }
});

it.skipIf(!confined)(
  "[S-9] every way to run a program in every place of the grammar: what bash really runs was judged (needs bubblewrap)",
  async () => {
    const trial = await tryInShell(placedLines(), 3_000_000);
    expect(trial.escaped).toEqual([]);
  },
);
