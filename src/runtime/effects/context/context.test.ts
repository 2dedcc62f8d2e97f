import { describe, expect, it } from "vitest";
import type { ArtifactRef } from "../../../core/contract/index.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { writeFiles } from "../../../../tests/support/repository.ts";
import { sceneDeps } from "../../../../tests/support/effect-scene.ts";
import type { EffectDeps } from "../deps.ts";
import { chooseFiles, resolveNames } from "./choose.ts";
import { importsOf } from "./imports.ts";
import { captureRepoContext } from "./capture.ts";
import { contextLimits, contextPack } from "./pack.ts";
import { githubRemote } from "./remote.ts";

const sized = (...paths: string[]) => paths.map((path) => ({ path, bytes: 100 }));
const chosen = (goal: string, paths: string[], recent: string[] = []) =>
  chooseFiles({ goal, paths: [], files: sized(...paths), recent, limit: 3 }).map(({ path }) => path);

describe("choosing what a decider should see [R-72]", () => {
  it("finds the file the goal is about, in any layout", () => {
    const tree = ["Sources/Net/Socket.swift", "Sources/Auth/LoginFlow.swift", "Package.swift", "x/y/z.swift"];
    expect(chosen("make the login flow stable", tree)[0]).toBe("Sources/Auth/LoginFlow.swift");
    expect(chosen("fix login", ["web/pages/a.vue", "backend/app/controllers/logins_controller.rb"])[0]).toBe(
      "backend/app/controllers/logins_controller.rb",
    );
  });

  it("a path named in the goal comes first, by its full name or by the only file that ends with it", () => {
    expect(chosen("look at b/c.ts and tell", ["a/a.ts", "b/c.ts", "README.md"])[0]).toBe("b/c.ts");
    expect(chosen("what does widget.c do", ["src/deep/widget.c", "README.md"])[0]).toBe("src/deep/widget.c");
    expect(resolveNames(["index.ts"], sized("a/index.ts", "b/index.ts"))).toEqual([]);
  });

  it("recent history breaks ties, and generated files come last", () => {
    expect(chosen("tidy up", ["m.go", "n.go", "o.go"], ["o.go"])[0]).toBe("o.go");
    expect(chosen("tidy up", ["package-lock.json", "app.min.js", "z.js", "y.js"])).not.toContain("package-lock.json");
  });

  it("follows imports of several languages inside the tree only", () => {
    const tree = new Set([
      "a/b.ts",
      "a/c/index.ts",
      "pkg/util.py",
      "pkg/__init__.py",
      "src/mod.h",
      "lib/x.rb",
      "s/net.rs",
    ]);
    expect(
      importsOf("a/a.ts", `import { b } from "./b.js"; export * from './c'; import x from "../../../etc/passwd"`, tree),
    ).toEqual(["a/b.ts", "a/c/index.ts"]);
    expect(importsOf("pkg/main.py", "from .util import x\nfrom . import y\nimport os\n", tree)).toEqual([
      "pkg/util.py",
      "pkg/__init__.py",
    ]);
    expect(importsOf("src/a.c", '#include "mod.h"\n#include <stdio.h>\n', tree)).toEqual(["src/mod.h"]);
    expect(importsOf("lib/a.rb", "require_relative 'x'\n", tree)).toEqual(["lib/x.rb"]);
    expect(importsOf("s/main.rs", "mod net;\n", tree)).toEqual(["s/net.rs"]);
  });
});

function folderWith(files: Record<string, string>): EffectDeps {
  const root = tempFolder("context-");
  writeFiles(root, files);
  return sceneDeps({ root });
}

async function capture(deps: EffectDeps, goal: string, paths: string[] = [], previous: ArtifactRef[] = []) {
  const outcome = await captureRepoContext(deps, {
    kind: "capture_repo_context",
    key: "k",
    goal,
    paths,
    previous,
  });
  if (outcome.kind !== "capture_repo_context") throw new Error(outcome.kind);
  const ref = outcome.context.context;
  const pack = contextPack.parse(JSON.parse(deps.text.decode(await deps.artifacts.read(ref.ref))));
  return { ref, pack, context: outcome.context };
}

describe("a context pack [R-72]", () => {
  const lines = (count: number, word: string) =>
    Array.from({ length: count }, (_, at) => `${word} line ${at} é`).join("\n");

  it("is bounded in files, bytes and tree, and the same each time", async () => {
    const files = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`src/login${at}.ts`, lines(400, "x")]));
    const one = await capture(folderWith(files), "fix login");
    const two = await capture(folderWith(files), "fix login");
    expect(one.ref).toEqual(two.ref);
    expect(one.pack.files.length).toBeLessThanOrEqual(contextLimits.files);
    expect(one.pack.tree).toHaveLength(contextLimits.treePaths);
    expect(one.pack.omittedTreePathCount).toBe(100);
    const bytes = one.pack.files.reduce((sum, file) => sum + Buffer.byteLength(file.excerpt), 0);
    expect(bytes).toBeLessThanOrEqual(contextLimits.totalBytes);
    expect(one.pack.files.every((file) => file.truncated)).toBe(true);
  });

  it("a follow-up goes on at the next byte and gives one ordered excerpt without a gap", async () => {
    const body = lines(3_000, "long");
    const deps = folderWith({ "a.txt": body });
    let last = await capture(deps, "see", ["a.txt"]);
    const previous = [last.ref];
    for (let round = 0; last.pack.files[0]?.truncated && round < 20; round += 1) {
      last = await capture(deps, "see", ["a.txt"], previous);
      previous.push(last.ref);
    }
    expect(last.pack.files[0]).toMatchObject({ startByte: 0, truncated: false, excerpt: body });
  });

  it("[R-72] a later pack holds every file once: the continued one assembled, the others as they were", async () => {
    const body = lines(3_000, "long");
    const deps = folderWith({ "a.txt": body, "b.txt": "short", "c.txt": "new" });
    const first = await capture(deps, "see", ["a.txt", "b.txt"]);
    const { pack, context } = await capture(deps, "see", ["a.txt", "c.txt"], [first.ref]);
    expect(pack.files.map(({ path }) => path)).toEqual(["a.txt", "b.txt", "c.txt"]);
    expect(pack.files[0]?.excerpt).toBe(Buffer.from(body).subarray(0, pack.files[0]?.endByte).toString());
    expect(pack.files[0]?.endByte).toBeGreaterThan(first.pack.files[0]?.endByte ?? Infinity);
    expect(context.files.map(({ path }) => path)).toEqual(["a.txt", "c.txt"]);
  });

  it("a file seen whole is not captured again, and a path that does not exist is reported", async () => {
    const deps = folderWith({ "a.txt": "short" });
    const first = await capture(deps, "see", ["a.txt"]);
    const again = await capture(deps, "see", ["a.txt", "nope.txt", "../../etc/passwd"], [first.ref]);
    expect(again.context.files).toEqual([]);
    expect(again.pack.notes).toEqual([
      "nope.txt is not a file that can be shown",
      "../../etc/passwd is not a file that can be shown",
      "a.txt was captured whole before",
    ]);
  });

  it("[S-2] a secret in a file is not in the pack, not even halved at the edge of a chunk", async () => {
    const secret = ["ghp", "_"].join("") + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
    const body = `${"x".repeat(contextLimits.namedFileBytes - 20)} ${secret} tail`;
    const { pack } = await capture(folderWith({ "a.txt": body }), "see", ["a.txt"]);
    expect(JSON.stringify(pack)).not.toContain(secret.slice(0, 12));
  });
});

describe("the remote of a repository [R-73]", () => {
  const remote = (...urls: [string, string][]) => githubRemote({ remotes: urls.map(([name, url]) => ({ name, url })) });
  it("is found in every spelling, origin first", () => {
    for (const url of [
      "https://github.com/o/r.git",
      "git@github.com:o/r.git",
      "ssh://git@github.com/o/r",
      "https://www.github.com/o/r/",
    ])
      expect(remote(["origin", url])).toMatchObject({
        owner: "o",
        repo: "r",
        normalizedUrl: "https://github.com/o/r",
      });
    expect(remote(["fork", "https://github.com/f/r"], ["origin", "https://github.com/o/r"])?.owner).toBe("o");
  });
  it("another host that only looks like it is none", () => {
    expect(remote(["origin", "https://github.com.evil.example/o/r"])).toBeUndefined();
    expect(remote(["origin", "https://gitlab.com/o/r"])).toBeUndefined();
    expect(remote(["origin", "https://evil.example/github.com/o/r"])).toBeUndefined();
  });
});
