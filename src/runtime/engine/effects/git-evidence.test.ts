import { describe, expect, it } from "vitest";
import { FailureError, type RepositoryState } from "../../../core/contract/index.ts";
import { memory, perform, secret, text } from "../../../../tests/support/effect-scene.ts";

describe("git evidence [R-70]", () => {
  const state: RepositoryState = {
    head: "abc",
    branch: "main",
    upstream: null,
    ahead: 0,
    behind: 0,
    remotes: [],
    status: [{ path: "a.txt", code: " M" }],
    clean: false,
  };
  const effect = { kind: "capture_git_evidence", moment: "before", pass: 0 };

  it("holds status and diff, redacted", async () => {
    const { artifacts, kept } = memory();
    const repository = {
      state: () => Promise.resolve(state),
      diffText: () => Promise.resolve(text.encode(`+${secret}`)),
    };
    const { evidence } = await perform({ artifacts, repository }, effect, "capture_git_evidence");
    expect(evidence).toMatchObject({ ok: true, head: "abc", changedPaths: ["a.txt"] });
    expect(text.decode(await artifacts.read(evidence.status?.ref ?? ""))).toBe("## main at abc\n M a.txt\n");
    expect([...kept.values()].map(({ bytes }) => text.decode(bytes)).join()).not.toContain(secret);
  });

  it("a git that fails, or no git at all, is failed evidence and no clean tree", async () => {
    const broken = () => Promise.reject(new FailureError({ code: "git_failed", message: "git diff failed" }));
    const failing = { state: () => Promise.resolve(state), diffText: broken };
    expect(
      (await perform({ artifacts: memory().artifacts, repository: failing }, effect, "capture_git_evidence"))
        .evidence.ok,
    ).toBe(false);
    const none = { state: () => Promise.resolve(null), diffText: broken };
    expect(
      (await perform({ artifacts: memory().artifacts, repository: none }, effect, "capture_git_evidence"))
        .evidence,
    ).toMatchObject({ ok: false, status: null });
  });

  it("[B-17] where it would end the run, a git that cannot answer just now is trouble, and unsafe work a fact", async () => {
    const fails = (code: "git_failed" | "unsafe_repository") => () =>
      Promise.reject(new FailureError({ code, message: "git was killed" }));
    const evidence = (repository: object, moment = "before") =>
      perform({ artifacts: memory().artifacts, repository }, { ...effect, moment }, "capture_git_evidence", {
        mode: "implement",
      });
    const trouble = { failure: { code: "git_failed" } };
    const diffText = () => Promise.resolve(new Uint8Array());
    await expect(evidence({ state: fails("git_failed"), diffText })).rejects.toMatchObject(trouble);
    const told = { state: () => Promise.resolve(state), diffText: fails("git_failed") };
    await expect(evidence(told)).rejects.toMatchObject(trouble);
    const away = { state: () => Promise.resolve(null), diffText };
    await expect(evidence(away)).rejects.toMatchObject(trouble);
    expect((await evidence(away, "asked")).evidence.ok).toBe(false);
    expect((await evidence({ state: fails("unsafe_repository"), diffText })).evidence.ok).toBe(false);
  });

  it("a fault is not taken for a failure", async () => {
    const repository = {
      state: () => Promise.reject(new TypeError("bug")),
      diffText: () => Promise.resolve(new Uint8Array()),
    };
    await expect(
      perform({ artifacts: memory().artifacts, repository }, effect, "capture_git_evidence"),
    ).rejects.toThrow("bug");
  });
});
