// The key of this user: Ed25519, made at first use, readable by the user alone. It signs heads of logs and statements
// about commits; other people need only its public half.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fail } from "../../core/contract/index.ts";
import { syncFolder, systemCode, writeWhole } from "../../platform/system/index.ts";

export interface PublicKey {
  /** SHA-256 of the key in SubjectPublicKeyInfo form. */
  readonly id: string;
  readonly pem: string;
  verifies(bytes: Uint8Array, signature: Uint8Array): boolean;
}

export interface UserKey extends PublicKey {
  sign(bytes: Uint8Array): Buffer;
}

const fileIn = (folder: string): string => join(folder, "key.pem");

function publicKey(key: KeyObject): PublicKey {
  const der = key.export({ type: "spki", format: "der" });
  return {
    id: createHash("sha256").update(der).digest("hex"),
    pem: key.export({ type: "spki", format: "pem" }).toString(),
    verifies: (bytes, signature) => verify(null, bytes, key, signature),
  };
}

/** Public keys as another person sends them, one after the other. */
export function readPublicKeys(text: string): PublicKey[] {
  const blocks = text.match(/-----BEGIN PUBLIC KEY-----[^-]*-----END PUBLIC KEY-----/g) ?? [text];
  return blocks.map(readPublicKey);
}

function readPublicKey(pem: string): PublicKey {
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType === "ed25519") return publicKey(key);
  } catch (error) {
    // Node reports malformed keys by errors with a code; anything else is a bug.
    if (systemCode(error) === undefined) throw error;
  }
  return fail("invalid_input", "This is not an Ed25519 public key in PEM form.", {
    remedy: "Ask the author of the commit for the output of `thehood key`.",
  });
}

/** The key that is there, or undefined. Makes nothing. */
export function knownKey(folder: string): UserKey | undefined {
  if (!existsSync(fileIn(folder))) return undefined;
  const key = createPrivateKey(readFileSync(fileIn(folder)));
  return { ...publicKey(createPublicKey(key)), sign: (bytes) => sign(null, bytes, key) };
}

/** The key of the user; two processes that begin together get the same one. */
export function userKey(folder: string): UserKey {
  const known = knownKey(folder);
  if (known) return known;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const pem = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" });
  const draft = join(folder, `key.${process.pid}.new`);
  writeWhole(draft, `${draft}.tmp`, Buffer.from(pem));
  try {
    // A link, unlike a rename, never replaces the key of a process that was faster.
    linkSync(draft, fileIn(folder));
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolder(folder);
  return knownKey(folder) ?? fail("store_io", `The key in ${folder} was made and is not there.`);
}
