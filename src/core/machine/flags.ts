// Changes of released rules, each as a numbered flag. A run records the flags of the version that created it and follows
// them for its whole life, also when a newer version continues it. A run without flags follows the rules of 0.1.0.
// To change a rule after a release: add a row here, read it with `hasFlag(run, flags.NAME)` in the rule, and keep the old
// rule behind it. A number is used once, and a released row never changes.
import type { RunCreated } from "../contract/index.ts";

export interface Flag {
  readonly id: number;
  /** The first version that creates runs with it. */
  readonly since: string;
  readonly reason: string;
}

export const flags = {} as const satisfies Readonly<Record<string, Flag>>;

/** The flags that this version records in a new run. */
export const currentFlags: readonly number[] = Object.values<Flag>(flags).map(({ id }) => id);

export const hasFlag = ({ created }: { readonly created: RunCreated }, { id }: Flag): boolean =>
  created.flags?.includes(id) ?? false;
