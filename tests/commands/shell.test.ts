import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { detectSandbox } from "../../src/sandbox/index.ts";
import { tryInShell } from "./shell.ts";

const confined = (await detectSandbox()).kind === "bubblewrap";
const hasBash = execFileSync("sh", ["-c", "command -v bash || true"]).length > 0;

it.skipIf(!confined || !hasBash)(
  "[S-9] what bash really runs was judged (needs bubblewrap and bash)",
  async () => {
    const trial = await tryInShell(20_260_101, 2500, 50_000);
    expect(trial.ran).toBeGreaterThan(10);
    expect(trial.escaped).toEqual([]);
  },
);
