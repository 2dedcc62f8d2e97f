// The transcript of an agent, as far as an answer needs it: its messages, its tool calls, its costs.
import { z } from "zod";
import type { ProviderUsage } from "../../core/contract/index.ts";
import type { StreamedText } from "../cli/index.ts";
import { type ToolKind, placesIn, toolKind } from "./permission.ts";

const count = z.number().int().nonnegative();
const update = z.looseObject({
  sessionUpdate: z.string(),
  content: z.unknown().optional(),
  toolCallId: z.string().max(10_000).optional().catch(undefined),
  kind: toolKind.optional().catch(undefined),
  cost: z.looseObject({ amount: z.number().nonnegative(), currency: z.string() }).optional().catch(undefined),
});
const words = z.looseObject({ type: z.literal("text"), text: z.string() });

/** Usage by the protocol, and where Gemini CLI puts it. */
const ended = z.looseObject({
  stopReason: z.string(),
  usage: z.looseObject({ inputTokens: count, outputTokens: count }).nullish().catch(null),
  _meta: z
    .looseObject({
      quota: z.looseObject({ token_count: z.looseObject({ input_tokens: count, output_tokens: count }) }),
    })
    .nullish()
    .catch(null),
});

export interface Transcript {
  /** A `session/update`. */
  note(params: unknown): void;
  /** A message ends where the agent turns to a tool. */
  cut(): void;
  kindOf(toolCallId: string): ToolKind | undefined;
  /** Every place that a tool call named so far; undefined where one could not be read. */
  placesOf(toolCallId: string): readonly string[] | undefined;
  /** The last message that is not blank. */
  readonly lastMessage: string | undefined;
  /** True when its text is longer than an answer may be. */
  readonly overflowed: boolean;
  usage(result: unknown): ProviderUsage | undefined;
}

const maxKinds = 10_000;
const maxPlaces = 1_000;

export function createTranscript(maxBytes: number): Transcript {
  const kinds = new Map<string, ToolKind>();
  const places = new Map<string, readonly string[] | undefined>();
  const notePlaces = (id: string, named: readonly string[] | undefined) => {
    const before = places.has(id) ? places.get(id) : [];
    const all = before && named && [...new Set([...before, ...named])];
    if (places.has(id) || places.size < maxKinds) places.set(id, all && all.length <= maxPlaces ? all : undefined);
  };
  let current: string[] = [];
  let bytes = 0;
  let overflowed = false;
  let last: string | undefined;
  let cost: number | undefined;
  const settle = () => {
    const text = current.join("");
    if (text.trim() !== "") last = text;
    current = [];
    bytes = 0;
  };
  const addText = (content: unknown) => {
    const text = words.safeParse(content).data?.text ?? "";
    bytes += Buffer.byteLength(text);
    overflowed ||= bytes > maxBytes;
    if (!overflowed) current.push(text);
  };
  return {
    note(params) {
      const one = z.looseObject({ update }).safeParse(params).data?.update;
      if (!one) return;
      if (one.sessionUpdate === "agent_message_chunk") addText(one.content);
      if (one.sessionUpdate === "tool_call" || one.sessionUpdate === "tool_call_update") {
        settle();
        if (one.toolCallId !== undefined && one.kind !== undefined && kinds.size < maxKinds)
          kinds.set(one.toolCallId, one.kind);
        if (one.toolCallId !== undefined) notePlaces(one.toolCallId, placesIn(one));
      }
      if (one.sessionUpdate === "usage_update" && one.cost?.currency === "USD") cost = one.cost.amount;
    },
    cut: settle,
    kindOf: (toolCallId) => kinds.get(toolCallId),
    placesOf: (toolCallId) => (places.has(toolCallId) ? places.get(toolCallId) : []),
    get lastMessage() {
      settle();
      return last;
    },
    get overflowed() {
      return overflowed;
    },
    usage(result) {
      const read = ended.safeParse(result).data;
      const quota = read?._meta?.quota.token_count;
      const tokens = read?.usage ?? (quota && { inputTokens: quota.input_tokens, outputTokens: quota.output_tokens });
      if (!tokens) return undefined;
      const { inputTokens, outputTokens } = tokens;
      return { inputTokens, outputTokens, ...(cost === undefined ? {} : { costUsd: cost }) };
    },
  };
}

const begun = z.looseObject({
  params: z.looseObject({
    update: z.looseObject({ sessionUpdate: z.literal("tool_call"), title: z.string().max(10_000) }),
  }),
});

/** The news in a message of the agent for a person who waits: the tools it turns to. */
export const describeUpdate = (message: unknown): string | undefined =>
  begun.safeParse(message).data?.params.update.title;

const messageChunk = z.looseObject({
  params: z.looseObject({
    update: z.looseObject({ sessionUpdate: z.literal("agent_message_chunk"), content: words }),
  }),
});

/** Its text comes in pieces. */
export function updateText(message: unknown): StreamedText | undefined {
  const text = messageChunk.safeParse(message).data?.params.update.content.text;
  return text === undefined ? undefined : { text, more: true };
}
