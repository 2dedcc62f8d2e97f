// Packs a program of the tests into one file: thousands of starts under strace are then quick.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { rolldown } from "rolldown";
import { removeFolder } from "../../support/remove-folder.ts";

export async function packProgram(entry: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "thehood-program-"));
  process.on("exit", () => removeFolder(folder));
  const file = join(folder, `${basename(entry, ".ts")}.mjs`);
  const bundle = await rolldown({ input: entry, platform: "node", external: [/^node:/] });
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
  return file;
}
