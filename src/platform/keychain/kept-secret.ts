// A secret that we must keep. Where the system has a keychain the value is there, and the file holds only the name of its
// entry; elsewhere the file holds the value, and only its owner can read it. The file decides: a value that was once kept in
// the keychain is never silently replaced by another one.
import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, linkSync, openSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import process from "node:process";
import { fail, FailureError, systemCode } from "../../core/contract/index.ts";
import { makeFolders, syncFolder, writeWhole } from "../system/index.ts";
import type { Keychain } from "./keychain.ts";

interface KeptSecret {
  readonly text: string;
  /** Where it is, as messages say it. */
  readonly where: string;
}

const pointer = /^keychain ([\w ./-]{1,200})$/;

/** The content of the file; undefined when there is none. A file that others can read is refused. */
function readPrivate(path: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    if ((fstatSync(descriptor).mode & 0o077) !== 0)
      fail("permission_denied", `Other users can read ${path}.`, { remedy: `Set its mode: chmod 600 ${path}` });
    return readFileSync(descriptor, "utf8").trim();
  } finally {
    closeSync(descriptor);
  }
}

/** The kept secret; undefined when none was made yet. */
export async function readKept(path: string, keychain: Keychain | undefined): Promise<KeptSecret | undefined> {
  const content = readPrivate(path);
  if (content === undefined || content === "") return undefined;
  const entry = pointer.exec(content)?.[1];
  if (entry === undefined) return { text: content, where: `the file ${path} (0600)` };
  const text = await keychain?.read(entry);
  if (keychain && text !== undefined) return { text, where: `the keychain (${keychain.name})` };
  return fail("store_io", `${path} says that its secret is in the keychain, where it is not found.`, {
    remedy: `Log in to the desktop that has the entry "${entry}". Without it, remove the file: a new secret is made, and what the old one protects cannot be read any more.`,
  });
}

/** The kept secret; a random one is made and made durable where there is none. The first of two processes wins. */
export async function keepSecret(path: string, keychain: Keychain | undefined): Promise<KeptSecret> {
  makeFolders(dirname(path));
  const known = await readKept(path, keychain);
  if (known) {
    // The process that makes it may not have synced its name yet.
    syncFolder(dirname(path));
    return known;
  }
  const value = randomBytes(32).toString("hex");
  createPrivate(path, (await inKeychain(keychain, basename(path), value)) ?? value);
  const kept = await readKept(path, keychain);
  return kept ?? fail("store_io", `${path} is empty.`, { remedy: "Remove it, and start again." });
}

/** The line that names the entry; undefined when there is no keychain, or it does not answer: then the file is used. */
async function inKeychain(keychain: Keychain | undefined, name: string, value: string): Promise<string | undefined> {
  if (!keychain) return undefined;
  const entry = `${name} ${randomBytes(6).toString("hex")}`;
  try {
    await keychain.write(entry, value);
    return `keychain ${entry}`;
  } catch (error) {
    if (error instanceof FailureError) return undefined;
    throw error;
  }
}

/** Where the secret is, or would be kept, as messages say it. Nothing is made. */
export async function whereKept(path: string, keychain: Keychain | undefined): Promise<string> {
  const known = await readKept(path, keychain);
  if (known) return known.where;
  if (!keychain) return `none yet; it would be the file ${path} (0600), because there is no keychain program here`;
  try {
    await keychain.read("probe");
    return `none yet; it would be the keychain (${keychain.name})`;
  } catch (error) {
    if (error instanceof FailureError) return `none yet; it would be the file ${path} (0600). ${error.message}`;
    throw error;
  }
}

/** All of the file or nothing, on the disk before it is used; another process may have made it meanwhile. */
export function createPrivate(path: string, content: string): void {
  const whole = `${path}.${process.pid}.new`;
  writeWhole(whole, `${whole}.tmp`, Buffer.from(`${content}\n`), 0o600);
  try {
    linkSync(whole, path);
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  } finally {
    rmSync(whole, { force: true });
  }
  syncFolder(dirname(path));
}
