// Objects and refs that git writes for us, and a power loss: what is reported is on the disk.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRepository } from "../../../tests/support/repository.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { hasStrace, traced } from "../../../tests/support/traced.ts";

describe.skipIf(!hasStrace)("[B-15] git, asked by us (needs strace)", () => {
  it("syncs an object and a ref before it says that it wrote them", () => {
    const { dir } = makeRepository({ "a.txt": "a\n" });
    const lines = traced(
      tempFolder("durable-git-"),
      "fsync,fdatasync",
      `import { git, moveOwnRefs, requireRepository, writeObjects } from ${JSON.stringify(join(import.meta.dirname, "index.ts"))};
      const repository = requireRepository(${JSON.stringify(dir)});
      await git(repository, ["hash-object", "-w", "--stdin"], { stdin: "new" });
      await git(repository, ["update-ref", "refs/thehood/test", "HEAD"]);
      const objects = ["one", "two"].map((text) => ({ type: "blob", bytes: Buffer.from(text) }));
      await writeObjects(repository, objects);
      const to = (await git(repository, ["rev-parse", "HEAD"])).stdout.toString().trim();
      const moves = ["a", "b"].map((name) => ({ ref: "refs/thehood/several/" + name, to }));
      if (!(await moveOwnRefs(repository, moves))) throw new Error("not moved");`,
    );
    const synced = lines.filter((line) => /sync\(/.test(line)).join("\n");
    expect(synced).toMatch(/\.git\/objects\//);
    expect(synced).toMatch(/\.git\/refs\/thehood\/test/);
    expect(synced.match(/\.git\/objects\//g)).toHaveLength(3);
    for (const name of ["a", "b"]) expect(synced).toContain(`.git/refs/thehood/several/${name}`);
  });
});
