// The policy of the user: their configuration over the defaults, and the flags of one command over both.
import type { Budgets, Policy, TransferPolicy } from "../../contract/index.ts";
import { defaultPolicy } from "../../machine/policy/index.ts";

export type Loose<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** One layer: the user's configuration, or the flags of one command. */
export interface UserPolicy extends Omit<Loose<Policy>, "budgets" | "externalTransfers"> {
  readonly budgets?: Loose<Budgets> | undefined;
  readonly externalTransfers?: Loose<TransferPolicy> | undefined;
}

function defined<T extends object>(value: T | undefined): Partial<T> {
  return Object.fromEntries(
    Object.entries(value ?? {}).filter(([, given]) => given !== undefined),
  ) as Partial<T>;
}

/** Later layers win: defaults, then the user's configuration, then the flags of this command. */
export function userPolicy(...layers: readonly (UserPolicy | undefined)[]): Policy {
  return layers.reduce<Policy>((policy, layer) => {
    const { budgets, externalTransfers, ...rest } = layer ?? {};
    return {
      ...policy,
      ...(defined(rest) as Partial<Policy>),
      budgets: { ...policy.budgets, ...(defined(budgets) as Partial<Budgets>) },
      externalTransfers: {
        ...policy.externalTransfers,
        ...(defined(externalTransfers) as Partial<TransferPolicy>),
      },
    };
  }, defaultPolicy);
}
