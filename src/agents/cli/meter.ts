// Counts what a call uses while its program works, and stops it when the rest of the run's budget is gone (B-12).
import { StringDecoder } from "node:string_decoder";
import type { ProviderCall, ProviderUsage } from "../../core/contract/index.ts";
import { type JsonLine, jsonLines } from "./lines.ts";

/** The tokens and cost of one event of a stream; a later event with the same id takes its place. */
export interface Spending extends ProviderUsage {
  readonly id: string;
}

export interface Meter {
  readonly hear: (stream: "stdout" | "stderr", chunk: Uint8Array) => void;
  /** The budget that the call used up. */
  readonly over: () => "token" | "money" | null;
  /** As the program told it while it worked, else by the bytes that came. */
  readonly used: () => ProviderUsage;
}

/** A longer line is some tool's output. */
const longest = 1024 ** 2;
const bytesPerToken = 4;

export function createMeter(
  { prompt, limits }: Pick<ProviderCall, "prompt" | "limits">,
  tells: ((event: JsonLine) => Spending | undefined) | undefined,
  stop: () => void,
): Meter {
  const decoder = new StringDecoder("utf8");
  const told = new Map<string, ProviderUsage>();
  let rest = "";
  let bytes = 0;
  let over: "token" | "money" | null = null;
  const used = (): ProviderUsage => {
    const sum = (of: (one: ProviderUsage) => number) =>
      [...told.values()].reduce((all, one) => all + of(one), 0);
    const counted = {
      inputTokens: sum((one) => one.inputTokens),
      outputTokens: sum((one) => one.outputTokens),
    };
    const usd = sum((one) => one.costUsd ?? 0);
    if (told.size > 0) return { ...counted, ...(usd > 0 ? { costUsd: usd } : {}) };
    const inputTokens = Math.ceil(Buffer.byteLength(prompt) / bytesPerToken);
    return { inputTokens, outputTokens: Math.ceil(bytes / bytesPerToken), estimated: true };
  };
  const judge = () => {
    const { inputTokens, outputTokens, costUsd = 0 } = used();
    const { tokens = null, usd = null } = limits ?? {};
    if (tokens !== null && inputTokens + outputTokens > tokens) over ??= "token";
    if (usd !== null && costUsd > usd) over ??= "money";
    if (over !== null) stop();
  };
  return {
    hear(stream, chunk) {
      if (over !== null) return;
      bytes += chunk.length;
      if (stream === "stdout" && tells) {
        const lines = (rest + decoder.write(Buffer.from(chunk))).split("\n");
        rest = (lines.pop() ?? "").slice(0, longest);
        for (const spending of jsonLines(lines.join("\n")).flatMap((event) => tells(event) ?? []))
          told.set(spending.id, spending);
      }
      judge();
    },
    over: () => over,
    used,
  };
}
