import { describe, expect, it } from "vitest";
import { makeRepository } from "../../../../tests/support/repository.ts";
import { describeRepository, withoutUserinfo } from "./index.ts";
import { base, made, repository, repositoryForEachTest } from "../../../../tests/support/worktree-scene.ts";

repositoryForEachTest();

describe("facts about a repository", () => {
  it("tells head, branch, upstream, status and remotes without their secrets", async () => {
    const bare = makeRepository();
    made.git("remote", "add", "origin", `https://user:${["pass", "word"].join("")}@example.com/x.git?token=1`);
    made.git("remote", "add", "ssh", "git@example.com:x/y.git");
    made.git("remote", "add", "local", bare.dir);
    made.git("push", "-q", "local", "main:topic");
    made.git("branch", "--set-upstream-to=local/topic");
    made.write("new file.txt", "n");
    made.write("a.txt", "changed\n");
    made.git("add", "a.txt");
    const facts = await describeRepository(repository);
    expect(facts).toMatchObject({
      head: base,
      branch: "main",
      upstream: "local/topic",
      ahead: 0,
      behind: 0,
      clean: false,
    });
    expect(facts.remotes).toEqual([
      { name: "origin", url: "https://example.com/x.git" },
      { name: "ssh", url: "example.com:x/y.git" },
      { name: "local", url: bare.dir },
    ]);
    expect(facts.status).toEqual([
      { path: "a.txt", code: "M " },
      { path: "new file.txt", code: "??" },
    ]);
    made.git("checkout", "-q", "--detach");
    expect((await describeRepository(repository)).branch).toBeNull();
    bare.remove();
  });

  it.each([
    ["https://token@host/p", "https://host/p"],
    ["ssh://git@host:22/p", "ssh://host:22/p"],
    ["https://a:b@c@host/p#x", "https://host/p"],
    ["me:pw@host:path", "host:path"],
    ["/plain/path@v1", "/plain/path@v1"],
    ["../rel", "../rel"],
  ])("shows %s as %s", (url, shown) => expect(withoutUserinfo(url)).toBe(shown));
});
