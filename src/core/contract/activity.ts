// The present work of an agent or a check: a tool call, the last words, the tokens so far. For people and programs that
// look on while it happens; it is never recorded and proves nothing.
import type { CallNews, ProviderUsage } from "./provider.ts";

/** `id` names the call or the check; several may be under way at once. */
export type ActivityNews =
  | { readonly id: string; readonly over: true }
  | (CallNews & {
      readonly id: string;
      readonly over?: false;
      readonly who: string;
      /** The command, file or tool that it turned to. */
      readonly does?: string;
    });

/** A short line without secrets, and when it was told. */
export interface ActivityLine {
  readonly text: string;
  readonly at: number;
  /** More of it is to come. */
  readonly growing?: boolean;
}

export interface Activity {
  readonly id: string;
  readonly who: string;
  readonly since: number;
  readonly does: ActivityLine | null;
  readonly says: ActivityLine | null;
  readonly usage: ProviderUsage | null;
}
