// Writes evidence of a session into a folder of the user. The names come from a sandbox: none of them leads out of the folder,
// and no file of the user is replaced.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fail } from "../core/contract/index.ts";

const isInside = (path: string): boolean =>
  path !== "" && !/^[/\\]|^[A-Za-z]:|[\0\\]/.test(path) && path.split("/").every((part) => !/^\.{0,2}$/.test(part));

export async function saveFiles(
  to: string,
  files: readonly { readonly path: string; base64(): Promise<string> }[],
): Promise<{ readonly folder: string; readonly files: readonly string[] }> {
  const folder = resolve(to);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    fail("conflict", `The folder ${to} is not empty.`, { remedy: "Name a new or an empty folder." });
  const wrong = files.find(({ path }) => !isInside(path));
  if (wrong) fail("invalid_input", `The name ${JSON.stringify(wrong.path.slice(0, 100))} leads out of the folder.`);
  mkdirSync(folder, { recursive: true });
  for (const { path, base64 } of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, Buffer.from(await base64(), "base64"), { flag: "wx" });
  }
  return { folder, files: files.map(({ path }) => path) };
}
