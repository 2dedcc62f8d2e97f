// Rewritten histories: evidence is bound to exactly the change it is about, and never to another one. The verifier in
// Python says the same of every commit.
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { hasPython, makeCommitted, type Committed } from "./committed.ts";
import { drawing } from "./drawing.ts";
import { rewrites, rowLength } from "./rewrites.ts";

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, line) => `line_${from + line} = ${from + line}\n`).join("");
const one = (body: string): string =>
  `${lines(0, 20)}def one(value):\n    if value:\n    ${body}\n    return 1\n${lines(20, 40)}`;

/** Four commits of runs on the branch `work`; two of them change the same file. */
async function makeScene(): Promise<Committed> {
  const base = { "src/one.py": one("    pass"), "src/two.py": lines(0, 30), "logo.bin": "\0\x01\x02\0" };
  const scene = makeCommitted(base);
  scene.git("tag", "base");
  await scene.run({ "src/one.py": one("    value += 1") });
  await scene.run({ "src/two.py": lines(1, 31), "src/three.py": "three = 3\n" });
  await scene.run({ "logo.bin": "\0\x01\x02\x03\0", "docs/a.md": "# A\n" });
  await scene.run({ "src/one.py": one("    value += 2") });
  scene.git("checkout", "-q", "-b", "work");
  return scene;
}

export function historiesSuite(count: number): void {
  const ways = Object.entries(rewrites);
  describe.skipIf(!hasPython)("[B-14] evidence of commits (needs python3)", () => {
    it(`is never bound wrongly in ${count} rewritten histories, by both verifiers`, async () => {
      const scene = await makeScene();
      const copy = join(tempFolder("histories-"), "git");
      cpSync(join(scene.dir, ".git"), copy, { recursive: true });
      const wrong: string[] = [];
      for (let turn = 0; turn < count; turn++) {
        const [name, rewrite] = ways[turn % ways.length] ?? ["", () => ({ range: "HEAD", expected: [] })];
        const { range, expected } = rewrite(scene, drawing(turn + 1));
        const verdicts = await scene.verify(range);
        const found = verdicts.map(({ verdict }) => (verdict === "verified" ? "kept" : "altered"));
        if (found.join() !== expected.join()) wrong.push(`${turn} ${name}: ${found.join()}, not ${expected.join()}`);
        const python = scene.python(range);
        expect(python.verdicts, name).toEqual(verdicts.map(({ commit, verdict }) => `${commit} ${verdict}`));
        rmSync(join(scene.dir, ".git"), { recursive: true });
        cpSync(copy, join(scene.dir, ".git"), { recursive: true });
        scene.git("checkout", "-q", "-f", "work");
        scene.git("clean", "-qfd");
      }
      expect(wrong).toEqual([]);
      expect(rowLength).toBe(4);
    });
  });
}
