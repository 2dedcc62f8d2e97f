import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeRepository } from "../../tests/support/repository.ts";
import { tempFolder } from "../../tests/support/temp-folder.ts";
import { createJudges } from "./index.ts";

const judges = createJudges(() => Promise.resolve({}));
const gated = async (line: string, folder?: string) => (await judges.command(line, folder)).gated;

describe("[S-9] the judge of commands knows the workspace", () => {
  it("a tool that is installed in the project is run by npx without fetching anything", async () => {
    const folder = tempFolder("thehood-tools-");
    mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
    writeFileSync(join(folder, "node_modules/.bin/tsc"), "");
    expect(await gated("npx tsc --noEmit", folder)).toBe(false);
    expect(await gated("npx -y tsc --noEmit", folder)).toBe(false);
    for (const line of [
      "npx eslint src",
      "npx tsc@latest",
      "npx -p evil tsc",
      "npx --node-options=--require=./x tsc",
      "cd /tmp && npx tsc",
      "npx tsc -p /tmp/evil",
    ])
      expect([line, await gated(line, folder)]).toEqual([line, true]);
    expect(await gated("npx tsc --noEmit")).toBe(true);
  });

  it("an absolute path below the top of the repository is inside, also from a folder below it", async () => {
    const repo = makeRepository({ "src/a.ts": "" });
    onTestFinished(() => repo.remove());
    const write = `echo x > ${repo.dir}/b.txt`;
    expect(await gated(write, repo.dir)).toBe(false);
    expect(await gated(write, join(repo.dir, "src"))).toBe(false);
    expect(await gated(`cd ${repo.dir} && git status`, repo.dir)).toBe(false);
    expect(await gated(write, tempFolder("thehood-elsewhere-"))).toBe(true);
  });
});
