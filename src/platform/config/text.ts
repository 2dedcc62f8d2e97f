// The text of a configuration file. A pipe or a device in its place would be waited for without an end.
import { readFileSync, statSync } from "node:fs";
import { fail } from "../../core/contract/index.ts";

const mostBytes = 4_194_304;

/** Some editors begin a file with a mark of its encoding; it is no part of the text. */
export function configText(path: string): string {
  const found = statSync(path);
  // A folder is told by the reading itself.
  if (!found.isFile() && !found.isDirectory())
    fail("invalid_config", `${path} is not a regular file.`, {
      remedy: "Put a file in its place, or remove it.",
    });
  if (found.size > mostBytes)
    fail("invalid_config", `${path} has ${found.size} bytes; a configuration has at most ${mostBytes}.`, {
      remedy: "Make it shorter; nothing was changed.",
    });
  return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
}
