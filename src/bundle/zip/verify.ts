// Compares a written package with its manifest: every file there once, with its size and hash, and nothing else.
import { fail } from "../../contract/index.ts";
import { readArchive } from "./archive.ts";
import { type Manifest, packageFolder } from "./package.ts";

const documents = ["CONTEXT_PACKAGE.md", "manifest.json", "excluded-files.json"];

export async function verifyPackage(path: string, manifest: Manifest): Promise<void> {
  const expected = new Map(manifest.files.map((file) => [`${packageFolder}/files/${file.path}`, file]));
  const entries = await readArchive(path, {
    maxEntries: expected.size + documents.length,
    maxRatio: Infinity,
  });
  const found = new Set(entries.map(({ name }) => name));
  const wrong = [
    ...documents.map((name) => `${packageFolder}/${name}`).filter((name) => !found.has(name)),
    ...[...expected.keys()].filter((name) => !found.has(name)),
    ...entries
      .filter(({ name, bytes, sha256 }) => {
        const file = expected.get(name);
        return file
          ? file.bytes !== bytes || file.sha256 !== sha256
          : !documents.some((document) => name === `${packageFolder}/${document}`);
      })
      .map(({ name }) => name),
  ];
  if (wrong.length === 0) return;
  fail("store_io", `The ZIP does not hold what was packed: ${wrong.slice(0, 5).join(", ")}.`, {
    remedy: "Pack again; if it stays, check the disk.",
  });
}
