// The key of the vault and the token of the administrator: kept in the keychain, or in files that only their owner can read.
import { join } from "node:path";
import { fail } from "../../core/contract/index.ts";
import { keepSecret, type Keychain } from "../../platform/keychain/index.ts";

export interface StoredKeys {
  /** The newest first. */
  readonly keys: readonly [Buffer, ...Buffer[]];
  readonly adminToken: string;
  /** Where they are, as messages say it. */
  readonly where: string;
}

export async function storedKeys(folder: string, keychain: Keychain | undefined): Promise<StoredKeys> {
  const vault = await keepSecret(join(folder, "keys"), keychain);
  const admin = await keepSecret(join(folder, "admin-token"), keychain);
  const [first, ...rest] = vault.text.split(/\s+/).map((line) => Buffer.from(line, "hex"));
  if (!first || [first, ...rest].some(({ length }) => length !== 32))
    return fail("invalid_config", `${join(folder, "keys")} must hold keys of 64 hex digits, one a line.`);
  const where = vault.where === admin.where ? vault.where : `${vault.where} and ${admin.where}`;
  return { keys: [first, ...rest], adminToken: admin.text, where };
}
