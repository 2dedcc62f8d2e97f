// Altered bytes: whatever is altered in a stored log is found, nothing else falls over, and nothing else is lost.
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/platform/store/index.ts";
import { clock, contentOf, failureOf, fill } from "./sample.ts";
import { copyOf, folder, makeStore } from "./scratch.ts";
import { removeFolder } from "../support/remove-folder.ts";

/** Without its first two digits, which name the folder. */
const helloHash = "f24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

type Verdict = "found" | "unharmed" | "tail" | "MISSED";

interface Original {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly content: Readonly<Record<string, string>>;
  /** What it was before the last append: what a torn tail may fall back to. */
  readonly before?: Readonly<Record<string, string>>;
}

/** Opens the altered store as `thehood log verify` would, and says what became of it. */
async function judge(original: Original, file: string, altered: Buffer): Promise<Verdict> {
  const dir = join(folder, "altered");
  removeFolder(dir);
  mkdirSync(dir, { mode: 0o700 });
  for (const [name, bytes] of original.files) writeFileSync(join(dir, name), name === file ? altered : bytes);
  // One artifact says that there have been runs.
  mkdirSync(join(dir, "artifacts", "2c"), { recursive: true });
  writeFileSync(join(dir, "artifacts", "2c", helloHash), "hello");
  let verdict: Verdict = "found";
  const refused = await failureOf(async () => {
    const store = openStore(dir, { clock, mode: "read" });
    try {
      const content = await contentOf(store);
      // The artifacts are not beside this copy, so that missing ones are always told; they are not what is tested.
      const problems = (await store.log.verify()).problems.filter((problem) => problem.kind !== "artifact_missing");
      if (problems.length > 0) return;
      const same = (other: Original["content"] = {}) => JSON.stringify(content) === JSON.stringify(other);
      verdict = same(original.content) ? "unharmed" : same(original.before) ? "tail" : "MISSED";
    } finally {
      await store.close();
    }
  });
  expect(["nothing", "store_corrupt", "store_version", "permission_denied"]).toContain(refused?.code ?? "nothing");
  return verdict;
}

async function flipEach(
  original: Original,
  file: string,
  { stride, first }: { readonly stride: number; readonly first: number },
): Promise<Record<Verdict, number[]>> {
  const verdicts: Record<Verdict, number[]> = { found: [], unharmed: [], tail: [], MISSED: [] };
  const bytes = original.files.get(file) ?? Buffer.alloc(0);
  for (let place = first; place < bytes.length; place += stride) {
    const altered = Buffer.from(bytes);
    altered[place] = (altered[place] ?? 0) ^ (1 << (place % 8));
    verdicts[await judge(original, file, altered)].push(place);
  }
  return verdicts;
}

async function contentAt(dir: string): Promise<Record<string, string>> {
  const store = openStore(dir, { clock, mode: "read" });
  const content = await contentOf(store);
  await store.close();
  return content;
}

/** The bytes of the file that hold something of ours: every text that was stored, wherever it stands. */
function placesOf(bytes: Buffer, texts: readonly string[]): Set<number> {
  const places = new Set<number>();
  for (const text of texts)
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1))
      for (let place = at; place < at + Buffer.byteLength(text); place++) places.add(place);
  return places;
}

export interface CorruptionSuite {
  /** One of so many bytes is altered, in the store and in its write-ahead log. */
  readonly stride: number;
  readonly walStride: number;
  /** Draws the first of them; the first byte when left out. */
  readonly draw?: () => number;
}

export function corruptionSuite({ stride, walStride, draw = () => 0 }: CorruptionSuite): void {
  describe("one altered bit", () => {
    it("in a closed store is found by verify, or is in a place that holds nothing of the log", async () => {
      const dir = await makeStore(`closed-${stride}`);
      const bytes = readFileSync(join(dir, "store.db"));
      const original = { files: new Map([["store.db", bytes]]), content: await contentAt(dir) };
      const verdicts = await flipEach(original, "store.db", { stride, first: Math.floor(draw() * stride) });
      expect(verdicts.MISSED).toEqual([]);
      expect(verdicts.tail).toEqual([]);
      const store = openStore(dir, { clock, mode: "read" });
      const hashes: string[] = [];
      for (const { runId } of await store.log.list())
        hashes.push(...(await store.log.read(runId)).map(({ hash }) => hash));
      await store.close();
      const places = placesOf(bytes, [...hashes, '"type":"said"', "goal of run_"]);
      expect(places.size).toBeGreaterThan(1_500);
      // A text may also stand in a page that is no longer used; the log is where it was found altered.
      const missed = verdicts.unharmed.filter((place) => places.has(place));
      expect(missed.length).toBeLessThanOrEqual(places.size / stride / 4);
    });

    it("in the log of a killed writer is found, or costs at most the last step, never one before it", async () => {
      const files = new Map<string, Buffer>();
      let before: Record<string, string> = {};
      let content: Record<string, string> = {};
      await makeStore(`killed-${stride}`, async (store, dir) => {
        await fill(store, ["run_aaaaaa", "run_bbbbbb"], 2);
        before = await contentOf(store);
        const row = {
          runId: "run_cccccc",
          createdAt: 5,
          goal: "g",
          mode: "goal",
          state: "planning",
          brief: 1,
        };
        await store.log.append({ runId: "run_cccccc", expectedSeq: 0, at: 1, events: [{ last: true }], row });
        content = await contentOf(store);
        for (const name of ["store.db", "store.db-wal"]) files.set(name, readFileSync(join(dir, name)));
      });
      const verdicts = await flipEach({ files, content, before }, "store.db-wal", {
        stride: walStride,
        first: Math.floor(draw() * walStride),
      });
      expect(verdicts.MISSED).toEqual([]);
      expect(verdicts.found.length).toBeGreaterThan(verdicts.unharmed.length);
    });
  });

  describe("a file that was cut", () => {
    it("is refused or its losses are found, at every length", async () => {
      const dir = await makeStore(`cut-${stride}`);
      const bytes = readFileSync(join(dir, "store.db"));
      const content = await contentAt(dir);
      const original = { files: new Map([["store.db", bytes]]), content };
      for (let length = 1; length < bytes.length; length += 16 * stride + 1)
        expect([length, await judge(original, "store.db", bytes.subarray(0, length))]).toEqual([length, "found"]);
    });

    it("is refused when it is empty but artifacts of its runs are there, to read and to write", async () => {
      const dir = copyOf(await makeStore(`empty-${stride}`));
      truncateSync(join(dir, "store.db"), 0);
      for (const mode of ["read", "write"] as const) {
        const failure = await failureOf(() => openStore(dir, { clock, mode }).close());
        expect(failure?.code).toBe("store_corrupt");
        expect(failure?.remedy).toContain("move it away");
      }
    });
  });
}
