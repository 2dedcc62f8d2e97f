import { expect, it, onTestFinished } from "vitest";
import { makeRepository } from "../../../../tests/support/repository.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { evidenceRef, fileEvidence, joinEvidence, shelvedEvidence } from "./shelf.ts";

const patch = (digit: string): string => digit.repeat(40);

function made() {
  const repo = makeRepository({ "a.txt": "a\n" });
  onTestFinished(() => repo.remove());
  const at = requireRepository(repo.dir);
  const tip = () => repo.git("rev-parse", "-q", "--verify", evidenceRef).trim();
  const files = () => repo.git("ls-tree", "-r", "--name-only", evidenceRef).trim().split("\n");
  return { repo, at, tip, files };
}

/** A tip with evidence of this clone, and one as another clone made it. */
async function twoShelves() {
  const scene = made();
  const { repo, at, tip } = scene;
  await fileEvidence(at, [patch("a")], { runId: "run_theirs", text: "theirs" });
  await fileEvidence(at, [patch("b")], { runId: "run_both", text: "as they have it" });
  const theirs = tip();
  repo.git("update-ref", "-d", evidenceRef);
  await fileEvidence(at, [patch("b")], { runId: "run_both", text: "as it is here" });
  await fileEvidence(at, [patch("c")], { runId: "run_ours", text: "ours" });
  return { ...scene, theirs };
}

it("holds both, keeps its own files, and can be pushed over the other tip", async () => {
  const { repo, at, theirs, tip, files } = await twoShelves();
  const ours = tip();
  await joinEvidence(at, theirs);
  expect(files()).toEqual([
    `aa/${patch("a")}/run_theirs.json`,
    `bb/${patch("b")}/run_both.json`,
    `cc/${patch("c")}/run_ours.json`,
  ]);
  expect(await shelvedEvidence(at, patch("b"))).toEqual([{ runId: "run_both", text: "as it is here" }]);
  for (const one of [ours, theirs]) repo.git("merge-base", "--is-ancestor", one, evidenceRef);
  const now = tip();
  await joinEvidence(at, theirs);
  expect(tip()).toBe(now);
});

it("takes the other tip where there is none here, and nothing from it that is not evidence", async () => {
  const { repo, at, tip, files } = made();
  await fileEvidence(at, [patch("a")], { runId: "run_theirs", text: "theirs" });
  const blob = repo.git("hash-object", "-w", "a.txt").trim();
  const tree = repo.git("rev-parse", `${tip()}^{tree}`).trim();
  repo.git("read-tree", tree);
  for (const path of ["../../x".replaceAll("../", "up/"), "aa/README", `ab/${patch("a")}/run_x.json`])
    repo.git("update-index", "--add", "--cacheinfo", `100644,${blob},${path}`);
  repo.git("update-index", "--add", "--cacheinfo", `120000,${blob},aa/${patch("a")}/run_link.json`);
  const hostile = repo.git("commit-tree", "-m", "x", repo.git("write-tree").trim()).trim();
  repo.git("update-ref", "-d", evidenceRef);
  await joinEvidence(at, hostile);
  expect(files()).toEqual([`aa/${patch("a")}/run_theirs.json`]);
});
