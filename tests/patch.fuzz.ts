// The long runs: a million damaged patches in process, thousands against git, fences against nothing but time.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changedPaths, judgePatch, parsePatch, printPatch } from "../src/core/patch/index.ts";
import { extractReply } from "../src/core/patch/reply/index.ts";
import { binaryTools } from "../src/platform/system/index.ts";
import { compared, markdown } from "./corpus/markdown.ts";
import { agree, agreeOnScene } from "./corpus/patch-agreement.ts";
import { Repository } from "./corpus/patch-repository.ts";
import { damage, damaged, memoryTree, scene, type Tree } from "./corpus/patch-scenes.ts";

const scale = Number(process.env["THEHOOD_FUZZ_SCALE"] ?? 1);
const rows = <T>(file: string): T[] =>
  readFileSync(join(import.meta.dirname, "corpus", file), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);
const patches = rows<{ patch?: string }>("patches.jsonl").flatMap(({ patch }) =>
  patch === undefined ? [] : [Buffer.from(patch, "utf8").toString("latin1")],
);
const answers = rows<{ response: string }>("responses.jsonl").map(({ response }) => response);
const fixture = JSON.parse(readFileSync(join(import.meta.dirname, "corpus", "patches_fixture.json"), "utf8")) as Record<
  string,
  string
>;
const tree: Tree = new Map(Object.entries(fixture).map(([path, text]) => [path, { text, executable: false }]));

/** The slowest of many calls in milliseconds of our own work, so that a busy machine does not count. */
let slowest = 0;
function timed<T>(work: () => T): T {
  const start = process.cpuUsage();
  const result = work();
  slowest = Math.max(slowest, process.cpuUsage(start).user / 1000);
  return result;
}

describe("patch fuzz", () => {
  it("a million damaged patches: no crash, no hang, no accepted patch that touches what it does not name", () => {
    const reader = memoryTree(tree);
    const counts = { accept: 0, approval: 0, reject: 0 };
    fc.assert(
      fc.property(fc.constantFrom(...patches), fc.array(damage, { minLength: 1, maxLength: 4 }), (patch, list) => {
        const bytes = Buffer.from(list.reduce(damaged, patch), "latin1");
        const verdict = timed(() => judgePatch(bytes, { binary: binaryTools }, reader));
        counts[verdict.verdict]++;
        if (verdict.verdict === "reject") return;
        const { patch: parsed, problems } = parsePatch(bytes);
        expect(problems).toEqual([]);
        expect(Buffer.from(printPatch(parsed)).equals(bytes)).toBe(true);
        for (const path of changedPaths(parsed)) expect(verdict.paths).toContain(path);
      }),
      { numRuns: Math.round(1_000_000 * scale) },
    );
    expect(slowest).toBeLessThan(1000);
    expect(counts.accept).toBeGreaterThan(0);
  });

  it("two hundred thousand damaged answers: no crash, no hang, and what is selected is sound", () => {
    fc.assert(
      fc.property(fc.constantFrom(...answers), fc.array(damage, { minLength: 1, maxLength: 5 }), (answer, list) => {
        const reply = timed(() => extractReply(list.reduce(damaged, answer)));
        const verdict = reply.selected === null ? "none" : judgePatch(reply.selected).verdict;
        expect(verdict).not.toBe("reject");
      }),
      { numRuns: Math.round(200_000 * scale) },
    );
    expect(slowest).toBeLessThan(1000);
  });
});

describe("fence fuzz", () => {
  it("finds the blocks that micromark finds", () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const { ours, reference } = compared(text);
        expect(ours).toEqual(reference);
      }),
      { numRuns: Math.round(300_000 * scale) },
    );
  });
});

describe("patch fuzz against git", () => {
  let repository: Repository;
  beforeAll(() => {
    repository = new Repository({ "README.md": "base\n" });
    repository.run(["rm", "-q", "-r", "-f", "."]);
  });
  afterAll(() => repository.remove());

  it("agrees on what git makes and on damage to it", () => {
    fc.assert(
      fc.property(
        scene,
        fc.array(fc.array(damage, { minLength: 1, maxLength: 2 }), { minLength: 6, maxLength: 6 }),
        (one, lists) => {
          const { patch, id, tree: met } = agreeOnScene(repository, one);
          for (const list of lists)
            agree(repository, id, met, Buffer.from(list.reduce(damaged, patch.toString("latin1")), "latin1"));
        },
      ),
      { numRuns: Math.round(3000 * scale), endOnFailure: true },
    );
  });
});
