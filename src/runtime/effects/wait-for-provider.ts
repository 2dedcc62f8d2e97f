// Waits until the limit of a provider is over. The clock of the computer counts, so that one that slept does not wait longer.
import { setTimeout as sleep } from "node:timers/promises";
import type { EffectContext, EffectOf, EffectOutcome } from "../../core/contract/index.ts";

const lookMs = 15_000;

export async function waitForProvider(
  { who, until }: EffectOf<"wait_for_provider">,
  { signal, progress }: EffectContext,
): Promise<EffectOutcome> {
  progress(`waiting for ${who} until ${new Date(until).toLocaleString()}`);
  for (let left = until - Date.now(); left > 0 && !signal.aborted; left = until - Date.now())
    await sleep(Math.min(left, lookMs), undefined, { signal }).catch(() => undefined);
  return { kind: "wait_for_provider" };
}
