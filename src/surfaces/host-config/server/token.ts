// The token of the HTTP server: new at each start, or the same at each start. A token is never stored: the same one is derived
// from a file of random text and the user's key, and one of the two is not enough.
import { createHash, randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fail } from "../../../core/contract/index.ts";
import { createPrivate } from "../../../platform/keychain/index.ts";
import { makeFolders, systemCode } from "../../../platform/system/index.ts";

export const newToken = (): string => randomBytes(32).toString("base64url");

function readSeed(path: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    return unusable(path, "it cannot be opened as a plain file");
  }
  try {
    const { mode, uid, size } = fstatSync(fd);
    if ((mode & 0o077) !== 0) return unusable(path, "other users can read it");
    if (process.getuid && uid !== process.getuid()) return unusable(path, "it belongs to another user");
    const seed = size <= 1_000 ? readFileSync(fd, "utf8").trim() : "";
    return /^[A-Za-z0-9_-]{32,512}$/.test(seed) ? seed : unusable(path, "its content is not a stored seed");
  } finally {
    closeSync(fd);
  }
}

const unusable = (path: string, why: string): never =>
  fail("permission_denied", `The token cannot be derived from ${path}: ${why}.`, {
    remedy: `Remove the file; the next start creates a new one, with another token.`,
  });

/** The token that is the same while the file and the key are. */
export function storedToken(stateDir: string, sign: (bytes: Uint8Array) => Uint8Array): string {
  const signed = sign(Buffer.from(`thehood mcp token 1\n${seedIn(stateDir)}`));
  return createHash("sha256").update(signed).digest("base64url");
}

function seedIn(stateDir: string): string {
  makeFolders(stateDir);
  const path = join(stateDir, "mcp-token");
  const known = readSeed(path);
  if (known !== undefined) return known;
  createPrivate(path, newToken());
  return readSeed(path) ?? unusable(path, "it was removed while it was made");
}
