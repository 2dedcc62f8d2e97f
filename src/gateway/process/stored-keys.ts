// Keys and tokens that a gateway stores beside its database, each in a file that only its owner can read.
import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../../core/contract/index.ts";
import { ensureFolder, systemCode } from "../../platform/system/index.ts";

function read(path: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    if ((fstatSync(descriptor).mode & 0o077) !== 0)
      fail("permission_denied", `Other users can read ${path}.`, {
        remedy: `Set its mode: chmod 600 ${path}`,
      });
    return readFileSync(descriptor, "utf8").trim();
  } finally {
    closeSync(descriptor);
  }
}

/** The file's text; random if the file does not exist. The first of two processes wins. */
export function storedText(folder: string, name: string): string {
  ensureFolder(folder);
  const path = join(folder, name);
  const known = read(path);
  if (known !== undefined && known !== "") return known;
  try {
    const descriptor = openSync(
      path,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      0o600,
    );
    try {
      writeSync(descriptor, `${randomBytes(32).toString("hex")}\n`);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  }
  return read(path) || fail("store_io", `${path} is empty.`, { remedy: "Remove it, and start again." });
}

/** One key a line, the newest first. */
export function storedKeys(folder: string): [Buffer, ...Buffer[]] {
  const keys = storedText(folder, "keys")
    .split(/\s+/)
    .map((line) => Buffer.from(line, "hex"));
  const [first, ...rest] = keys;
  if (!first || keys.some(({ length }) => length !== 32))
    return fail("invalid_config", `${join(folder, "keys")} must hold keys of 64 hex digits, one a line.`);
  return [first, ...rest];
}
