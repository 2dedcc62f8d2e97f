// The token of the HTTP server: new with every start, or the same at each start. No token is ever written down: the same
// one is made anew of a file of random words and of the user's key, and neither is enough alone.
import { createHash, randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fail } from "../../../core/contract/index.ts";
import { systemCode } from "../../../platform/system/index.ts";

export const newToken = (): string => randomBytes(32).toString("base64url");

function readKept(path: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    return unusable(path, "it cannot be opened as a plain file");
  }
  try {
    const { mode, uid, size } = fstatSync(fd);
    if ((mode & 0o077) !== 0) return unusable(path, "others can read it");
    if (process.getuid && uid !== process.getuid()) return unusable(path, "it belongs to somebody else");
    const words = size <= 1_000 ? readFileSync(fd, "utf8").trim() : "";
    return /^[A-Za-z0-9_-]{32,512}$/.test(words)
      ? words
      : unusable(path, "it does not hold what was written");
  } finally {
    closeSync(fd);
  }
}

const unusable = (path: string, why: string): never =>
  fail("permission_denied", `No token is made of ${path}: ${why}.`, {
    remedy: `Remove the file; the next start makes a new one, with another token.`,
  });

/** The token that stays the same while the file and the key do. */
export function storedToken(stateDir: string, sign: (bytes: Uint8Array) => Uint8Array): string {
  const signed = sign(Buffer.from(`thehood mcp token 1\n${keptWords(stateDir)}`));
  return createHash("sha256").update(signed).digest("base64url");
}

function keptWords(stateDir: string): string {
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const path = join(stateDir, "mcp-token");
  const known = readKept(path);
  if (known !== undefined) return known;
  const words = newToken();
  const fd = openSync(
    path,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    0o600,
  );
  try {
    writeSync(fd, `${words}\n`);
  } finally {
    closeSync(fd);
  }
  return words;
}
