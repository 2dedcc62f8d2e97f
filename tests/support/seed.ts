// The seed of a long set that tries a sample: another one each time, printed, and repeated by THEHOOD_SEED=N.
import process from "node:process";
import { random } from "./commands/mutate.ts";

export function seeded(name: string): () => number {
  const seed = Number(process.env["THEHOOD_SEED"] ?? Date.now() % 1_000_000);
  process.stderr.write(`${name}: a sample by THEHOOD_SEED=${seed}\n`);
  return random(seed);
}
