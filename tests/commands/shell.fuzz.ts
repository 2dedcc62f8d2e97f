import { expect, it } from "vitest";
import { detectSandbox } from "../../src/sandbox/index.ts";
import { tryInShell } from "./shell.ts";

const confined = (await detectSandbox()).kind === "bubblewrap";

it.skipIf(!confined)(
  "[S-9] 500,000 mutated lines: what bash really runs was judged (needs bubblewrap)",
  async () => {
    for (let round = 0; round < 10; round += 1) {
      const trial = await tryInShell(round * 7919 + 1, 50_000, 1_200_000);
      expect(trial.escaped).toEqual([]);
    }
  },
);
