import { describe, expect, it, onTestFinished } from "vitest";
import { makeRepository } from "../../../../tests/support/repository.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { changedSource } from "./targets.ts";

describe("[B-9] changed source for the control", () => {
  it("names what is too long, and leaves out pictures, tests and words", async () => {
    const repo = makeRepository({ "src/a.js": "1;\n" });
    onTestFinished(() => repo.remove());
    const base = repo.git("rev-parse", "HEAD^{tree}").trim();
    repo.write("src/a.js", "2;\n");
    repo.write("src/long.js", "3;\n".repeat(700_000));
    repo.write("src/fair.js", "4;\n".repeat(200_000));
    repo.write("logo.png", new Uint8Array([137, 80, 78, 71, 0, 1]));
    repo.write("test/a.test.js", "5;\n");
    repo.write("README.md", "six\n");
    repo.commit();
    const tree = repo.git("rev-parse", "HEAD^{tree}").trim();
    const found = await changedSource(requireRepository(repo.dir), base, tree);
    expect(found.files.map(({ path }) => path)).toEqual(["src/a.js", "src/fair.js"]);
    expect(found.left).toEqual(["src/long.js"]);
  });

  it("names those beyond the first two hundred", async () => {
    const repo = makeRepository();
    onTestFinished(() => repo.remove());
    const base = repo.git("rev-parse", "HEAD^{tree}").trim();
    for (let at = 0; at < 203; at += 1) repo.write(`src/f${String(at).padStart(3, "0")}.py`, `${at}\n`);
    repo.commit();
    const tree = repo.git("rev-parse", "HEAD^{tree}").trim();
    const found = await changedSource(requireRepository(repo.dir), base, tree);
    expect(found.files).toHaveLength(200);
    expect(found.left).toEqual(["src/f200.py", "src/f201.py", "src/f202.py"]);
  });
});
