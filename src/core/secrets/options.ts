// The options of a caller: the file's name, rules of their own, findings they have decided to allow.
import type { Sha256 } from "../contract/index.ts";
import type { UserRules } from "./user-rules.ts";

/** Findings whose value has one of these hashes are left alone. The hash is handed in: this room has none. */
interface Allowed {
  readonly sha256: Sha256;
  readonly hashes: ReadonlySet<string>;
}

export interface SecretOptions {
  readonly file?: string;
  readonly rules?: UserRules;
  readonly allow?: Allowed;
}

export const marker = "***REDACTED***";
