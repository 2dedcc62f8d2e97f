import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { plainGit, writeFiles } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { showableDiff } from "./index.ts";

type Files = Readonly<Record<string, string>>;

/** The difference between a commit of the first files and a checkout with the second ones. */
async function shownOf(before: Files, after: Files, gone: readonly string[] = []): Promise<string> {
  const dir = tempFolder("diff-");
  writeFiles(dir, before);
  plainGit(dir, "init", "-q");
  plainGit(dir, "add", "-A", "-f");
  plainGit(dir, "-c", "user.name=a", "-c", "user.email=a@example.invalid", "commit", "-qm", "x");
  for (const path of gone) rmSync(`${dir}/${path}`);
  writeFiles(dir, after);
  plainGit(dir, "add", "-A", "-f");
  return Buffer.from(await showableDiff(requireRepository(dir), "HEAD")).toString("utf8");
}

describe("the difference of a checkout, as it may be seen", () => {
  it("[R-70] holds every changed file where none is secret", async () => {
    const shown = await shownOf({ "a.txt": "one\n", "b/c.txt": "two\n" }, { "a.txt": "uno\n", "b/c.txt": "due\n" });
    expect(shown).toContain("+uno");
    expect(shown).toContain("+due");
  });

  it("[S-8] names a secret file, shows none of it, and shows all others", async () => {
    const others = Object.fromEntries(Array.from({ length: 900 }, (_none, at) => [`many/${at}.txt`, `${at} seen\n`]));
    const shown = await shownOf(
      { ".env": "KEY=old\n", "a[1]*.txt": "one\n" },
      { ".env": "KEY=canary\n", "a[1]*.txt": "uno\n", "deep/.env.local": "KEY=canary\n", ...others },
    );
    expect(shown.split("\n").filter((line) => line.startsWith("# "))).toEqual([
      "# .env differs and is not shown: its name says that it holds secrets",
      "# deep/.env.local differs and is not shown: its name says that it holds secrets",
    ]);
    expect(shown).not.toContain("canary");
    expect(shown).toContain("+uno");
    expect(shown.match(/^\+\d+ seen$/gm)).toHaveLength(900);
  });

  it("names a file that is too large to be shown", async () => {
    const shown = await shownOf(
      { "big.txt": "x\n", "a.txt": "one\n" },
      { "big.txt": "y\n".repeat(5 << 20), "a.txt": "uno\n" },
    );
    expect(shown).toContain("# big.txt differs and is not shown: it is larger than 8 MB\n");
    expect(shown).toContain("+uno");
    expect(shown.length).toBeLessThan(2_000);
  });

  it("[S-8] shows no secret file of a folder that was a file before", async () => {
    const shown = await shownOf(
      { conf: "old\n", "a.txt": "one\n" },
      { "conf/.env": "KEY=canary\n", "a.txt": "uno\n" },
      ["conf"],
    );
    expect(shown).not.toContain("canary");
    expect(shown).toContain("+uno");
  });
});
