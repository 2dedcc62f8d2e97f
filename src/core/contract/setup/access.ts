// Where data would go if a crew were called.
import type { Advice, Role, TransferPurpose } from "../index.ts";

export interface Destination {
  readonly role: Role;
  readonly label: string;
  readonly assignment: string;
  readonly identity: string;
  readonly boundary: "local" | "external";
  /** The data that crosses, or the reason why none does. */
  readonly crosses: string;
  /** The words an approval must contain; null when no gate stands before it. */
  readonly phrase: string | null;
  readonly passesByPolicy: boolean;
}

export interface AccessReport {
  readonly localOnly: true;
  readonly purpose: TransferPurpose;
  readonly destinations: readonly Destination[];
  readonly dataLeaves: boolean;
  readonly approval: string;
  /** The most that a run may use by the policy. */
  readonly cost: string;
  readonly fallbacks: readonly (string | Advice)[];
}
