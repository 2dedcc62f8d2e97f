// Compares a written package with its manifest: every file there once, with its size and hash, and nothing else.
import { closeSync, openSync } from "node:fs";
import { fail } from "../../../core/contract/index.ts";
import { type Manifest, packageFolder } from "./package.ts";
import { readBackZip, UnsoundArchive } from "./read-back.ts";

const documents = ["CONTEXT_PACKAGE.md", "manifest.json", "excluded-files.json"];

export async function verifyPackage(path: string, manifest: Manifest): Promise<void> {
  const fd = openSync(path, "r");
  const expected = new Map(manifest.files.map((file) => [`${packageFolder}/files/${file.path}`, file]));
  const missing = new Set([...documents.map((name) => `${packageFolder}/${name}`), ...expected.keys()]);
  const wrong: string[] = [];
  try {
    for await (const { name, bytes, sha256 } of readBackZip(fd)) {
      const file = expected.get(name);
      const same = file === undefined || (file.bytes === bytes && file.sha256 === sha256);
      // One that is not expected, or there twice, is as wrong as one with other bytes.
      if (!missing.delete(name) || !same) wrong.push(name);
    }
  } catch (error) {
    if (!(error instanceof UnsoundArchive)) throw error;
    wrong.push(error.message);
  } finally {
    closeSync(fd);
  }
  wrong.push(...missing);
  if (wrong.length === 0) return;
  fail("store_io", `The ZIP does not hold what was packed: ${wrong.slice(0, 5).join(", ")}.`, {
    remedy: "Pack again; if it stays, check the disk.",
  });
}
