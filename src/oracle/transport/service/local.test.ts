// Packing while files change: the result reports what is packed.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readArchive } from "../../../../tests/support/bundle/archive.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import type { ResolvedRequest } from "../../../core/contract/transport/index.ts";
import { prepareBundle } from "../files/bundle.ts";
import type { OracleRunDeps } from "../ports.ts";
import { pack, savedAnswer } from "./local.ts";

/** The world of a user who writes into these files after they were looked at and before they are packed. */
function scene(changed: readonly string[], patterns: readonly string[], format: "text" | "zip") {
  const cwd = tempFolder();
  mkdirSync(join(cwd, "src"));
  for (const name of ["a", "b", "c"]) writeFileSync(join(cwd, `src/${name}.txt`), `${name}\n`);
  const files = {
    patterns,
    roots: [],
    format,
    maxFileBytes: null,
    maxTotalBytes: null,
    lineNumbers: false,
    attachments: [],
  };
  const request = { cwd, files, secrets: { sanitize: false } };
  const deps = {
    bundle: async (asked: Parameters<OracleRunDeps["bundle"]>[0]) => {
      const prepared = await prepareBundle(asked);
      for (const path of changed) writeFileSync(join(cwd, path), "more\n", { flag: "a" });
      return prepared;
    },
  };
  const output = join(tempFolder(), format === "zip" ? "out.zip" : "out.md");
  const run = () =>
    pack(deps as unknown as OracleRunDeps, { request, warnings: [] } as unknown as ResolvedRequest, output);
  return { run, output };
}

describe("a bundle of files that change while they are packed", () => {
  it("[Z-5] is reported as it is in the archive", async () => {
    const { run, output } = scene(["src/a.txt", "src/c.txt"], ["src"], "zip");
    const result = await run();
    const inside = (await readArchive(output)).map(({ name }) => name).filter((name) => name.endsWith(".txt"));
    expect(inside).toEqual(["oracle-context-package/files/src/b.txt"]);
    expect(result).toMatchObject({
      fileCount: inside.length,
      excluded: [
        { path: "src/a.txt", reason: "changed_during_read" },
        { path: "src/c.txt", reason: "changed_during_read" },
      ],
    });
  });

  it("[Z-5] is reported as it is in the text", async () => {
    const { run, output } = scene(["src/a.txt"], ["src"], "text");
    const result = await run();
    expect(result.fileCount).toBe(2);
    expect(readFileSync(output, "utf8").match(/^### File: .*$/gm)).toHaveLength(result.fileCount);
  });

  it.each(["text", "zip"] as const)("[T-23] is refused where one of them was named: %s", async (format) => {
    const { run, output } = scene(["src/a.txt"], ["src/a.txt", "src/b.txt"], format);
    await expect(run()).rejects.toMatchObject({
      failure: {
        code: "invalid_input",
        message: "src/a.txt is left out: changed during read. Nothing was written.",
      },
    });
    expect(existsSync(output)).toBe(false);
  });
});

it("a session of steipete/oracle is called so where its answer is asked for", async () => {
  const home = tempFolder();
  mkdirSync(join(home, "sessions/old-run"), { recursive: true });
  writeFileSync(join(home, "sessions/old-run/meta.json"), '{"status":"completed"}');
  const deps = { home } as OracleRunDeps;
  await expect(savedAnswer(deps, home, "old-run")).rejects.toThrow(/is a session of steipete/);
  await expect(savedAnswer(deps, home, "no-run")).rejects.toThrow(/neither a file nor a session/);
});
