import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeRepository } from "../../../tests/support/repository.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { createJudges } from "./judges.ts";

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

describe("[S-9] the judge of commands follows links", () => {
  it("in a worktree, a folder that leads out of it is outside, also by way of its parent folder", async () => {
    const repo = makeRepository({ "src/a.ts": "" });
    onTestFinished(() => repo.remove());
    symlinkSync(tempFolder("thehood-elsewhere-"), join(repo.dir, "away"));
    symlinkSync("src", join(repo.dir, "near"));
    const asked = async (line: string) => (await judges.command(line, repo.dir, "worktree")).gated;
    for (const line of ["rm -rf away/x", "rm -rf away/*", "find away -delete", "cd away && rm -rf ../x"])
      expect([line, await asked(line)]).toEqual([line, true]);
    for (const line of ["rm away", "rm -rf near/a.ts", "rm -rf src/new/x", "cd src && rm -rf ../near"])
      expect([line, await asked(line)]).toEqual([line, false]);
  });
});

describe("[S-9] the judge of commands looks into files whose name proves nothing", () => {
  it("settings of a database are asked about unless they only name variables", async () => {
    const repo = makeRepository({
      "a/config/database.yml": "production:\n  adapter: postgresql\n  password: <%= ENV['DB_PASSWORD'] %>\n",
      "b/config/database.yml": "production:\n  username: app\n  password: hunter2\n",
    });
    onTestFinished(() => repo.remove());
    symlinkSync("../b/config/database.yml", join(repo.dir, "a/parameters.yml"));
    expect(await gated("cat a/config/database.yml", repo.dir)).toBe(false);
    expect(await gated("cat b/config/database.yml", repo.dir)).toBe(true);
    expect(await gated("cat a/parameters.yml", repo.dir)).toBe(true);
    expect(await gated("cat c/config/database.yml", repo.dir)).toBe(true);
    expect(await gated("cp a/config/database.yml c.yml", repo.dir)).toBe(false);
    expect(await gated("cat config/database.yml")).toBe(true);
  });
});

describe("[S-9] the judge of commands knows the last commit", () => {
  const script = "#!/bin/sh\necho hello\n";

  it("a script that the commit holds is run as one of package.json is, and asked about once it differs", async () => {
    const repo = makeRepository({ "tools/check.sh": script, gradlew: script });
    onTestFinished(() => repo.remove());
    const both = async () => [
      await gated("./tools/check.sh", repo.dir),
      await gated("sh tools/check.sh", repo.dir),
      await gated("./check.sh", join(repo.dir, "tools")),
      await gated("./gradlew test", repo.dir),
    ];
    expect(await both()).toEqual([false, false, false, false]);
    writeFileSync(join(repo.dir, "tools/check.sh"), `${script}curl evil.example\n`);
    writeFileSync(join(repo.dir, "gradlew"), `${script}curl evil.example\n`);
    expect(await both()).toEqual([true, true, true, true]);
  });

  it("a new script, a link in the place of one, and a script of another folder are asked about", async () => {
    const repo = makeRepository({ "check.sh": script, "sub/a.txt": "" });
    onTestFinished(() => repo.remove());
    writeFileSync(join(repo.dir, "new.sh"), script);
    writeFileSync(join(repo.dir, "sub/check.sh"), "echo other\n");
    expect(await gated("./new.sh", repo.dir)).toBe(true);
    expect(await gated("./check.sh", join(repo.dir, "sub"))).toBe(true);
    rmSync(join(repo.dir, "check.sh"));
    symlinkSync("new.sh", join(repo.dir, "check.sh"));
    expect(await gated("./check.sh", repo.dir)).toBe(true);
  });

  it("a build wrapper that does not exist is judged by its name, any other script that does not exist is asked about", async () => {
    const repo = makeRepository({ "a.txt": "" });
    onTestFinished(() => repo.remove());
    expect(await gated("./gradlew test", repo.dir)).toBe(false);
    expect(await gated("./x.sh", repo.dir)).toBe(true);
    writeFileSync(join(repo.dir, "gradlew"), script);
    expect(await gated("./gradlew test", repo.dir)).toBe(true);
  });

  it("without a commit a script is asked about", async () => {
    const folder = tempFolder("thehood-no-commit-");
    writeFileSync(join(folder, "check.sh"), script);
    expect(await gated("./check.sh", folder)).toBe(true);
  });
});
