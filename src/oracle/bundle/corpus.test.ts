// The corpus of archives: what is packed and what stays out, in a plain folder and in a repository, read back by
// other programs; and archives made to harm a reader.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Entry, makePlace, makeRepository, type Place, put } from "../../../tests/support/bundle/folders.ts";
import { forgeArchive } from "../../../tests/support/bundle/forge.ts";
import { ArchiveRefusal, readArchive } from "../../../tests/support/bundle/archive.ts";
import { packageFolder, planBundle, writeZip } from "./index.ts";

interface Row {
  id: string;
  op: "pack" | "read";
  title: string;
  entries: (Entry & {
    name?: string;
    zeros?: number;
    declared?: number;
    actual?: number;
    encrypted?: boolean;
  })[];
  expect: "include" | "exclude" | "fail";
  reason: string;
  archive_paths?: string[];
  subject?: string;
  accept?: string[];
  limits?: { maxTotalBytes: number };
}

const rows = readFileSync(join(import.meta.dirname, "../../../tests/corpus/zip.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Row);

async function pack(row: Row, place: Place, patterns: readonly string[]) {
  const plan = await planBundle({ root: place.root, patterns, ...row.limits });
  const written = await writeZip(plan, join(place.base, "out.zip"), { generatedBy: "test" });
  const names = (await readArchive(written.path)).map(({ name }) => name);
  return { plan: written.plan, names };
}

describe.each(["folder", "repository"] as const)("packing in a plain %s", (kind) => {
  const packed = rows.filter(({ op, entries }) => op === "pack" && !entries.some((entry) => entry.race !== undefined));

  const scene = (row: Row) => {
    const place = makePlace();
    if (kind === "repository") makeRepository(place);
    for (const entry of row.entries) put(place, entry);
    return { place, patterns: row.entries.map(({ path }) => path.replace("$ROOT", place.root)) };
  };

  it.each(packed.filter((row) => row.expect === "fail"))("[Z-7] $id: $title → $expect ($reason)", async (row) => {
    const { place, patterns } = scene(row);
    using _gone = place;
    await expect(pack(row, place, patterns)).rejects.toMatchObject({
      failure: { details: { reason: row.reason } },
    });
  });

  it.each(packed.filter((row) => row.expect !== "fail"))("[Z-7] $id: $title → $expect ($reason)", async (row) => {
    const { place, patterns } = scene(row);
    using _gone = place;
    const { plan, names } = await pack(row, place, patterns);
    const subject = (row.subject ?? patterns[0] ?? "").replace(`${place.root}/`, "");
    const included = names.includes(`${packageFolder}/files/${subject}`);
    const outcome = included ? "include" : "exclude";
    expect([row.expect, ...(row.accept ?? [])]).toContain(outcome);
    const excluded = { path: subject, reason: row.reason };
    expect(outcome === "exclude" ? plan.excluded : [excluded]).toContainEqual(excluded);
    for (const path of row.archive_paths ?? []) expect(names).toContain(`${packageFolder}/${path}`);
  });
});

describe("reading an archive from a stranger", () => {
  it.each(rows.filter(({ op }) => op === "read"))("[Z-7] $id: $title → $reason", async (row) => {
    using place = makePlace();
    const path = join(place.base, "bad.zip");
    await forgeArchive(path, row.entries);
    const refusal = await readArchive(path).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(ArchiveRefusal);
    expect((refusal as ArchiveRefusal).reason).toBe(row.reason);
  });

  const more: [string, string, Row["entries"]][] = [
    ["a name with NUL", "nul_byte", [{ path: "", name: "a\0b.txt", content: "x" }]],
    ["a name with a line end", "control_char_path", [{ path: "", name: "a\nb.txt", content: "x" }]],
    [
      "names that differ in case only",
      "casefold_collision",
      [
        { path: "", name: "A.txt", content: "x" },
        { path: "", name: "a.txt", content: "x" },
      ],
    ],
    ["an empty name", "path_empty", [{ path: "", name: "", content: "x" }]],
    ["a device name", "path_reserved", [{ path: "", name: "a/nul.txt", content: "x" }]],
    ["a symlink", "symlink", [{ path: "", name: "link", content: "/etc/passwd", symlink: "yes" }]],
    ["a declared size above the real one", "size_mismatch", [{ path: "", name: "b.txt", declared: 500, actual: 10 }]],
  ];
  it.each(more)("[Z-7] %s → %s", async (_, reason, entries) => {
    using place = makePlace();
    const path = join(place.base, "bad.zip");
    await forgeArchive(path, entries);
    await expect(readArchive(path)).rejects.toMatchObject({ reason });
  });

  it("refuses what is not an archive, and what was cut off", async () => {
    using place = makePlace();
    put(place, { path: "a.txt", content: "x" });
    const plan = await planBundle({ root: place.root, patterns: ["."] });
    const { path } = await writeZip(plan, join(place.base, "out.zip"), { generatedBy: "test" });
    put(place, { path: "cut.zip", content_b64: readFileSync(path).subarray(0, 200).toString("base64") });
    put(place, { path: "no.zip", content: "not an archive" });
    for (const name of ["cut.zip", "no.zip"]) {
      await expect(readArchive(join(place.root, name))).rejects.toMatchObject({ reason: "corrupt" });
    }
  });
});
