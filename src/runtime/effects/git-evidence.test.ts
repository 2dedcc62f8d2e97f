import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { context, memory, perform, sceneDeps, secret, text } from "../../../tests/support/effect-scene.ts";
import { makeRepository } from "../../../tests/support/repository.ts";
import { type Repository, requireRepository } from "../../platform/git/index.ts";
import { createEffects } from "./perform.ts";

const effect = { kind: "capture_git_evidence", moment: "before", pass: 0 };

/** A repository with one commit and one changed file. */
function changed(content = "two\n") {
  const { dir, git, write, remove } = makeRepository();
  onTestFinished(remove);
  write("a.txt", content);
  const commit = git("rev-parse", "HEAD").trim();
  return { dir, commit, write, repository: requireRepository(dir) };
}

describe("git evidence [R-70]", () => {
  it("holds status and diff, redacted", async () => {
    const { artifacts, kept } = memory();
    const { dir: root, commit, repository } = changed(`${secret}\n`);
    const { evidence } = await perform({ artifacts, root, repository }, effect, "capture_git_evidence", {
      baseCommit: commit,
    });
    expect(evidence).toMatchObject({ ok: true, head: commit, changedPaths: ["a.txt"] });
    const status = text.decode(await artifacts.read(evidence.status?.ref ?? ""));
    expect(status).toBe(`## main at ${commit}\n M a.txt\n`);
    expect(text.decode(await artifacts.read(evidence.diff?.ref ?? ""))).toContain("\n-one\n+");
    expect([...kept.values()].map(({ bytes }) => text.decode(bytes)).join()).not.toContain(secret);
  });

  it("a git that fails, or no git at all, is failed evidence and no clean tree", async () => {
    const { dir: root, repository } = changed();
    const failing = await perform({ root, repository }, effect, "capture_git_evidence", {
      baseCommit: "0".repeat(40),
    });
    expect(failing.evidence.ok).toBe(false);
    const none = await perform({}, effect, "capture_git_evidence", { baseCommit: null });
    expect(none.evidence).toMatchObject({ ok: false, status: null });
    const gone = await perform({}, effect, "capture_git_evidence", { baseCommit: "0".repeat(40) });
    expect(gone.evidence).toMatchObject({ ok: false, status: null, diff: null });
  });

  it("[B-17] where it would end the run, a git that cannot answer just now is trouble, and unsafe work a fact", async () => {
    const evidence = (
      { dir: root, repository }: { dir: string; repository: Repository | undefined },
      baseCommit: string,
      moment = "before",
    ) =>
      perform({ root, repository }, { ...effect, moment }, "capture_git_evidence", {
        mode: "implement",
        baseCommit,
      });
    const trouble = { failure: { code: "git_failed" } };
    const one = changed();
    await expect(evidence(one, "0".repeat(40))).rejects.toMatchObject(trouble);
    const away = { dir: one.dir, repository: undefined };
    await expect(evidence(away, one.commit)).rejects.toMatchObject(trouble);
    expect((await evidence(away, one.commit, "asked")).evidence.ok).toBe(false);
    const broken = changed();
    writeFileSync(join(broken.dir, ".git/index"), "no index");
    await expect(evidence(broken, broken.commit)).rejects.toMatchObject(trouble);
    const unsafe = changed();
    unsafe.write(".thehood/thehood.db", "x");
    rmSync(join(unsafe.dir, ".git/config"));
    writeFileSync(join(unsafe.dir, ".git/config"), "[include\n");
    expect((await evidence(unsafe, unsafe.commit)).evidence.ok).toBe(false);
  });

  it("a fault is not taken for a failure", async () => {
    const { dir: root, repository } = changed();
    const faulty = {
      ...repository,
      get top(): string {
        throw new TypeError("bug");
      },
    };
    const deps = { ...sceneDeps({ root }), repository: faulty };
    const asked = { key: "k", ...effect, moment: "before" as const, kind: "capture_git_evidence" as const };
    await expect(createEffects(deps)(asked, context())).rejects.toThrow("bug");
  });
});
