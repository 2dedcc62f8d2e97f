// Reads the events of a program while it works: counts what the call uses, stops it when the rest of the run's budget is
// gone (B-12), and reports progress to a person who waits. Progress decides nothing.
import { StringDecoder } from "node:string_decoder";
import { type ProviderCall, type ProviderUsage, plainLine, tokensCost } from "../../core/contract/index.ts";
import { cachedPart, type JsonLine, jsonLines } from "./lines.ts";
import type { Refusal } from "./program.ts";

/** The tokens and cost of one event of a stream; a later event with the same id takes its place. */
export interface Spending extends ProviderUsage {
  readonly id: string;
}

export interface Meter {
  readonly read: (stream: "stdout" | "stderr", chunk: Uint8Array) => void;
  /** The budget that the call used up. */
  readonly over: () => "token" | "money" | null;
  /** As the program reported it, else estimated by bytes. */
  readonly used: () => ProviderUsage;
}

/** A longer line is some tool's output; it is not held. */
const longest = 1024 ** 2;

/** Gives the events of the lines that a chunk completes; undefined while no line is complete. */
function createEventReader(): (chunk: Uint8Array) => JsonLine[] | undefined {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  return (chunk) => {
    const lines = (rest + decoder.write(Buffer.from(chunk))).split("\n");
    rest = (lines.pop() ?? "").slice(0, longest);
    return lines.length === 0 ? undefined : jsonLines(lines.join("\n"));
  };
}

const bytesPerToken = 4;

export function createMeter(
  { prompt, limits }: Pick<ProviderCall, "prompt" | "limits">,
  tells: ((event: JsonLine) => Spending | undefined) | undefined,
  stop: () => void,
): Meter {
  const read = createEventReader();
  const reported = new Map<string, ProviderUsage>();
  let bytes = 0;
  let over: "token" | "money" | null = null;
  const used = (): ProviderUsage => {
    const sum = (of: (one: ProviderUsage) => number) => [...reported.values()].reduce((all, one) => all + of(one), 0);
    const counted = {
      inputTokens: sum((one) => one.inputTokens),
      outputTokens: sum((one) => one.outputTokens),
      ...cachedPart(sum((one) => one.cachedTokens ?? 0)),
    };
    const usd = sum((one) => one.costUsd ?? 0);
    if (reported.size > 0) return { ...counted, ...(usd > 0 ? { costUsd: usd } : {}) };
    const inputTokens = Math.ceil(Buffer.byteLength(prompt) / bytesPerToken);
    return { inputTokens, outputTokens: Math.ceil(bytes / bytesPerToken), estimated: true };
  };
  const judge = () => {
    const now = used();
    const { tokens = null, usd = null, price } = limits ?? {};
    const cost = now.costUsd ?? (price ? tokensCost(price, now) : 0);
    if (tokens !== null && now.inputTokens + now.outputTokens > tokens) over ??= "token";
    if (usd !== null && cost > usd) over ??= "money";
    if (over !== null) stop();
  };
  return {
    read(stream, chunk) {
      if (over !== null) return;
      bytes += chunk.length;
      if (stream === "stdout" && tells)
        for (const event of read(chunk) ?? []) {
          const spending = tells(event);
          if (spending) reported.set(spending.id, spending);
        }
      judge();
    },
    over: () => over,
    used,
  };
}

/** Text that still grows is cut to its end; enough that a secret in the end is whole. */
const mostText = 8_192;
/** Far more than is shown: the line is cut after its secrets are removed. */
const mostProgress = 2_000;

export function createProgressReader(
  program: {
    describeEvent?(event: JsonLine): string | undefined;
    textOf?(event: JsonLine): StreamedText | undefined;
    refusal?(event: JsonLine): Refusal | undefined;
  },
  { progress, news, workspace }: Pick<ProviderCall, "progress" | "news" | "workspace">,
  meter: Pick<Meter, "used">,
  refused?: (why: string) => void,
): (stream: "stdout" | "stderr", chunk: Uint8Array) => void {
  const read = createEventReader();
  let text = "";
  const report = (event: JsonLine) => {
    const streamed = program.textOf?.(event);
    if (streamed) {
      text = ((streamed.more ? text : "") + streamed.text).slice(-mostText);
      news?.({ says: text, growing: streamed.more === true });
    }
    const refusal = program.refusal?.(event);
    if (refusal) {
      progress?.(plainLine(`the service refused: ${refusal.text}`, mostProgress));
      if (refusal.final) refused?.(plainLine(refusal.text, 300));
    }
    const action = program.describeEvent?.(event);
    if (!action) return;
    text = "";
    // Paths are shown relative to the workspace.
    const short = workspace.dir === null ? action : action.replaceAll(`${workspace.dir}/`, "");
    progress?.(plainLine(short, mostProgress));
  };
  return (stream, chunk) => {
    const events = stream === "stdout" ? read(chunk) : undefined;
    if (!events) return;
    for (const event of events) report(event);
    news?.({ usage: meter.used() });
  };
}

export interface StreamedText {
  readonly text: string;
  readonly more?: boolean;
}
