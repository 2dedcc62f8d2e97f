// Stores of a test file: the small sample, and copies to spoil. All of them go when the file is through.
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "../../src/core/contract/index.ts";
import { openStore } from "../../src/platform/store/index.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { clock, fill } from "./sample.ts";

/** Memory where there is some: thousands of copies are made. */
export const folder = tempFolder("thehood-store-", existsSync("/dev/shm") ? "/dev/shm" : tmpdir());

let copies = 0;

export function copyOf(dir: string): string {
  const copy = join(folder, `copy-${copies++}`);
  cpSync(dir, copy, { recursive: true });
  return copy;
}

export async function makeStore(
  name: string,
  use: (store: Store, dir: string) => Promise<void> = (store) => fill(store),
): Promise<string> {
  const dir = join(folder, name);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const store = openStore(dir, { clock });
  await use(store, dir);
  await store.close();
  return dir;
}
