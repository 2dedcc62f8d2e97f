// Secrets at rest: AES-256-GCM under a key with an id, bound to their configuration and variable.
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { fail } from "../../core/contract/index.ts";
import type { SealedSecret } from "../store/index.ts";

export interface Vault {
  seal(configurationId: string, key: string, value: string, now: number): SealedSecret;
  open(secret: SealedSecret): string;
  /** A separate key for another purpose. */
  derive(purpose: string): Buffer;
}

const keyIdOf = (key: Buffer): string =>
  createHash("sha256").update("thehood key id").update(key).digest("hex").slice(0, 16);
const bound = (configurationId: string, key: string): Buffer =>
  Buffer.from(JSON.stringify(["thehood secret 1", configurationId, key]));

/** The first key encrypts; all keys decrypt, so a key can be replaced without losing its values. */
export function createVault(keys: readonly [Buffer, ...Buffer[]]): Vault {
  const named = new Map(keys.map((key) => [keyIdOf(key), key]));
  const [first] = keys;
  return {
    seal(configurationId, key, value, now) {
      const iv = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", first, iv).setAAD(bound(configurationId, key));
      const sealed = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
      return {
        configurationId,
        key,
        keyId: keyIdOf(first),
        iv: iv.toString("hex"),
        tag: cipher.getAuthTag().toString("hex"),
        cipher: sealed.toString("hex"),
        updatedAt: now,
      };
    },
    open(secret) {
      const key = named.get(secret.keyId);
      if (!key)
        return fail("store_corrupt", `The key ${secret.keyId} that sealed ${secret.key} is missing.`, {
          remedy: "Put the old key back into the key file, below the new one.",
        });
      try {
        const iv = Buffer.from(secret.iv, "hex");
        const opened = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: 16 })
          .setAAD(bound(secret.configurationId, secret.key))
          .setAuthTag(Buffer.from(secret.tag, "hex"));
        return opened.update(Buffer.from(secret.cipher, "hex"), undefined, "utf8") + opened.final("utf8");
      } catch {
        return fail("store_corrupt", `The stored value of ${secret.key} was altered.`, {
          remedy: "Submit the value again.",
        });
      }
    },
    derive: (purpose) => Buffer.from(hkdfSync("sha256", first, "thehood gateway", purpose, 32)),
  };
}
