// Test only: secrets that stand nowhere as a whole, and where they are looked for.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const canary = ["gh", "p_", "h4Kd8Vb2Xn6Qm1Tz9Lr3Ws7Pc5Jf0Gy2Ae8U"].join("");

/** A secret only because of the word before it. */
export const passPhrase = ["Tr0ub4dor", "3xyzzy9Q"].join("&");

/** The files below a folder that hold the text, also inside git's objects. */
export function holders(folder: string, text: string): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const found = files.filter((file) => file.includes(text) || readFileSync(file).includes(text));
  return [...found, ...(existsSync(join(folder, ".git")) ? inObjects(folder, text) : [])];
}

/** Objects are stored compressed, and refs as names. */
function inObjects(repository: string, text: string): string[] {
  const git = (...args: string[]) => spawnSync("git", ["-C", repository, ...args], { maxBuffer: 1 << 28 }).stdout;
  const found: string[] = [];
  if (git("cat-file", "--batch-all-objects", "--batch").includes(text)) found.push("git objects");
  if (git("for-each-ref").includes(text)) found.push("git refs");
  return found;
}
