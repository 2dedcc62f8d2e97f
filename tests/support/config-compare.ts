// Test only: files made of everything the syntax of a git configuration knows, and the comparison with git's reading.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { ConfigSyntaxError, settingKey, parseConfig } from "../../src/platform/git/index.ts";

const piece = fc.constantFrom(
  "[core]",
  "[CORE]",
  '[filter "x"]',
  '[filter "x.y"]',
  '[filter "a\\"b\\\\"]',
  "[filter.X]",
  '[filter.a.b "C"]',
  "[a-b]",
  "[ bad]",
  "[x",
  "]",
  '["',
  "clean",
  "Clean",
  "a-b",
  "1a",
  " = ",
  "=",
  " ",
  "\t",
  "\n",
  "\r\n",
  "\r",
  "\\\n",
  "\\\r\n",
  "\\n",
  "\\q",
  '"',
  "#",
  ";",
  "\\",
  "value",
  "two words",
  "\uFEFF",
  "\u00e9",
  "[include]",
  "path",
  '[s ""]',
  '[s  "x" ]',
  '[s\t"x"]',
  "[.x]",
  "[a.]",
  "k=v",
  "k = v # c\n",
  'k = "v;#" ; c\n',
  "k\n",
  "k =\n",
);

/** Half of the files start well, so that most of them can be read at all. */
const configText = fc
  .tuple(fc.boolean(), fc.array(piece, { maxLength: 24 }))
  .map(([head, pieces]) => (head ? "[s]\n" : "") + pieces.join(""));

/** Every key git sees must be among ours; a file that git reads and we refuse is fine, the other way round is not. */
function compareWithGit(text: string, read: (text: string) => Buffer): void {
  const theirs = theirKeys(text, read);
  const ours = ourKeys(text);
  if (theirs === undefined || ours === undefined) return;
  const missing = theirs.filter((line) => !ours.includes(line));
  if (missing.length > 0)
    throw new Error(
      `${JSON.stringify(text)}: git also sees ${JSON.stringify(missing)}, we see ${JSON.stringify(ours)}`,
    );
}

function theirKeys(text: string, read: (text: string) => Buffer): string[] | undefined {
  try {
    return read(text)
      .toString("utf8")
      .split("\0")
      .filter((record) => record !== "")
      .map((record) => record.split("\n")[0] ?? "")
      .filter((key) => key.includes("."));
  } catch (error) {
    if (error instanceof Error && "status" in error) return undefined;
    throw error;
  }
}

function ourKeys(text: string): string[] | undefined {
  try {
    return parseConfig(text).map(settingKey);
  } catch (error) {
    if (error instanceof ConfigSyntaxError) return undefined;
    throw error;
  }
}

/** The property itself, over `numRuns` files that git reads beside us. */
export function readsLikeGit(numRuns: number): void {
  const folder = mkdtempSync(join(tmpdir(), "config-"));
  const file = join(folder, "config");
  const read = (text: string) => {
    writeFileSync(file, text);
    return execFileSync("git", ["config", "-z", "--list", "-f", file], {
      stdio: ["ignore", "pipe", "ignore"],
    });
  };
  fc.assert(
    fc.property(configText, (text) => compareWithGit(text, read)),
    { numRuns },
  );
  rmSync(folder, { recursive: true });
}
