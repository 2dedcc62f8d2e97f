// The present work of an agent or a check in words, with its age: the same on every surface.
import type { Activity, ProviderUsage } from "../../core/contract/index.ts";

const seconds = (at: number, now: number): number => Math.max(0, Math.round((now - at) / 1_000));

const ageWords = (at: number, now: number): string => {
  const age = seconds(at, now);
  return age < 120 ? `${age} s` : `${Math.floor(age / 60)} min`;
};

const usageWords = ({ inputTokens, outputTokens, estimated }: ProviderUsage): string =>
  `${estimated ? "about " : ""}${(inputTokens + outputTokens).toLocaleString("en")} tokens so far`;

/** `implementer (codex-cli:gpt-5): $ npm test (12 s), says: … (3 s ago), 5,210 tokens so far`. */
export function describeActivity({ who, does, says, usage }: Activity, now: number): string {
  const parts = [
    ...(does ? [`${does.text} (${ageWords(does.at, now)})`] : []),
    ...(says ? [`says: ${says.text} (${ageWords(says.at, now)} ago)`] : []),
    ...(usage && usage.inputTokens + usage.outputTokens > 0 ? [usageWords(usage)] : []),
  ];
  return `${who}: ${parts.length === 0 ? "no word yet" : parts.join(", ")}`;
}

/** For a program: ages instead of moments, so that it needs no clock. */
export const activityText = ({ who, since, does, says, usage }: Activity, now: number): object => ({
  who,
  seconds: seconds(since, now),
  ...(does ? { does: does.text, doesSeconds: seconds(does.at, now) } : {}),
  ...(says ? { says: says.text, saidSecondsAgo: seconds(says.at, now) } : {}),
  ...(usage ? { tokens: usage.inputTokens + usage.outputTokens } : {}),
  ...(usage?.estimated ? { tokensEstimated: true } : {}),
});
