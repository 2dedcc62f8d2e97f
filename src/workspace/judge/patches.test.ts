// A patch file that is a model's answer: converted on request, judged and applied as any patch.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeRepository, type TestRepository } from "../../../tests/support/repository.ts";
import { applyPatchFile, checkPatchFile } from "./patches.ts";

const answer = Buffer.from("Sure:\n\n*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+ONE\n two\n*** End Patch\n");
const secrets = async () => ({});
let scene: TestRepository;
beforeEach(() => {
  scene = makeRepository({ "a.txt": "one\ntwo\n" });
});
afterEach(() => scene.remove());

it("[T-34] check patch --convert judges what the answer becomes, and shows it", async () => {
  const { dir: repo } = scene;
  expect(await checkPatchFile(answer, { repo }, secrets)).toMatchObject({
    verdict: "reject",
    reason: "no_diff_header",
  });
  const verdict = await checkPatchFile(answer, { repo, convert: true }, secrets);
  expect(verdict).toMatchObject({ verdict: "accept", paths: ["a.txt"], converted: { from: "apply_patch" } });
  expect(verdict.converted?.patch).toContain("@@ -1,2 +1,2 @@");
  const twice = Buffer.from(answer.toString().replace("a.txt", "../a.txt"));
  expect(await checkPatchFile(twice, { repo, convert: true }, secrets)).toMatchObject({
    verdict: "reject",
    reason: "unsafe_path",
  });
});

it("[T-34] patch apply --convert applies it, and a patch stays as it is", async () => {
  const { dir: repo } = scene;
  expect(await applyPatchFile(answer, { repo, convert: true }, secrets)).toMatchObject({
    applied: true,
    changed: ["a.txt"],
    verdict: { converted: { from: "apply_patch" } },
  });
  expect(readFileSync(join(repo, "a.txt"), "utf8")).toBe("ONE\ntwo\n");
  const patch = Buffer.from("diff --git a/b b/b\nnew file mode 100644\n--- /dev/null\n+++ b/b\n@@ -0,0 +1 @@\n+x\n");
  const plain = await checkPatchFile(patch, { repo, convert: true }, secrets);
  expect(plain).toMatchObject({ verdict: "accept" });
  expect(plain.converted).toBeUndefined();
});
