// Translates OpenCode's events into ours. A tool call gives one event when its arguments are known and one when it
// ends.
import { z } from "zod";

export interface TranslatedEvent {
  readonly type: "message" | "token" | "tool_start" | "tool_end" | "status" | "error" | "message_complete";
  readonly data: Readonly<Record<string, unknown>>;
}

const time = z.object({ start: z.number().optional(), end: z.number().optional() }).optional();
const part = z.object({
  id: z.string(),
  messageID: z.string(),
  sessionID: z.string(),
  type: z.string(),
  text: z.string().optional(),
  tool: z.string().optional(),
  callID: z.string().optional(),
  time,
  state: z
    .object({
      status: z.string(),
      input: z.unknown().optional(),
      output: z.string().optional(),
      error: z.string().optional(),
      metadata: z.unknown().optional(),
      time,
    })
    .optional(),
});
const message = z.object({ id: z.string(), sessionID: z.string().optional(), role: z.string().optional() });
const event = z.object({
  type: z.string(),
  properties: z
    .object({
      sessionID: z.string().optional(),
      part: part.optional(),
      messageID: z.string().optional(),
      partID: z.string().optional(),
      field: z.string().optional(),
      delta: z.string().optional(),
      info: message.optional(),
      status: z.object({ type: z.string() }).optional(),
      error: z.unknown().optional(),
    })
    .optional(),
});
type Part = z.infer<typeof part>;

/** Some model servers use the id of a call again in the next message. */
export const callKey = (messageId: string, callId: string): string => `${messageId}:${callId}`;

/** The keys of calls and the ids of parts that are stored already. */
export interface SeenParts {
  readonly started: readonly string[];
  readonly ended: readonly string[];
}

export class Translator {
  readonly #started = new Set<string>();
  readonly #ended = new Set<string>();
  /** Messages of the user: their text gives no event. */
  readonly #userMessages = new Set<string>();
  /** The last status that gave an event. */
  #status = "";
  #ends = 0;
  /** The end of the turn is stored already: a late event of it gives no second one. */
  #endKnown = false;
  readonly #session: string;
  constructor(session: string, seen: SeenParts = { started: [], ended: [] }) {
    this.#session = session;
    for (const id of seen.started) this.#started.add(id);
    for (const id of seen.ended) this.#ended.add(id);
  }

  /** Events of parts that ended while nobody followed: of calls that are still open here, and of everything after `since`. */
  missed(messages: unknown, since: number): TranslatedEvent[] {
    const { data = [] } = z.array(z.object({ info: message, parts: z.array(z.unknown()) })).safeParse(messages);
    return data.flatMap(({ info, parts }) => {
      if (info.role === "user") this.#userMessages.add(info.id);
      return parts.flatMap((given) => {
        const { data: found } = part.safeParse(given);
        if (!found || found.sessionID !== this.#session) return [];
        const open = found.callID !== undefined && this.#started.has(callKey(found.messageID, found.callID));
        const endedAt = found.state?.time?.end ?? found.time?.end ?? 0;
        return open || endedAt > since ? this.#part(found) : [];
      });
    });
  }

  /** How many turns have ended. */
  get ends(): number {
    return this.#ends;
  }

  /** The end of a turn whose own event was missed. */
  missedEnd(): TranslatedEvent[] {
    const events = [...this.#newStatus("idle"), ...this.#end()];
    this.#endKnown = true;
    return events;
  }

  translate(given: unknown): TranslatedEvent[] {
    const { data } = event.safeParse(given);
    const found = data?.properties;
    if (!data || !found) return [];
    const about = found.sessionID ?? found.part?.sessionID ?? found.info?.sessionID;
    if (about !== undefined && about !== this.#session) return [];
    switch (data.type) {
      case "message.updated":
        if (found.info?.role === "user") this.#userMessages.add(found.info.id);
        return [];
      case "message.part.delta":
        if (found.field !== "text" || this.#userMessages.has(found.messageID ?? "")) return [];
        return [
          {
            type: "token",
            data: { messageId: found.messageID, partId: found.partID, token: found.delta ?? "" },
          },
        ];
      case "message.part.updated":
        return found.part ? this.#part(found.part) : [];
      case "session.status":
        return this.#newStatus(found.status?.type ?? "unknown");
      case "session.idle":
        return this.#end();
      case "session.error":
        return [{ type: "error", data: { message: JSON.stringify(found.error ?? "unknown").slice(0, 2000) } }];
      default:
        return [];
    }
  }

  #newStatus(status: string): TranslatedEvent[] {
    if (status !== "idle") this.#endKnown = false;
    if (status === this.#status) return [];
    this.#status = status;
    return [{ type: "status", data: { status } }];
  }

  #end(): TranslatedEvent[] {
    if (this.#endKnown) return [];
    this.#ends += 1;
    return [{ type: "message_complete", data: {} }];
  }

  #part(found: Part): TranslatedEvent[] {
    const ids = { messageId: found.messageID, partId: found.id };
    if (found.type === "text") {
      const whole = found.time?.end !== undefined && !this.#userMessages.has(found.messageID) && this.#first(found.id);
      return whole ? [{ type: "message", data: { ...ids, role: "assistant", text: found.text ?? "" } }] : [];
    }
    if (found.type !== "tool" || !found.state || !found.callID) return [];
    const { status, input, output, error, time: took } = found.state;
    const call = { ...ids, toolCallId: found.callID, tool: found.tool };
    const events: TranslatedEvent[] = [];
    const key = callKey(found.messageID, found.callID);
    if (status !== "pending" && !this.#started.has(key)) {
      this.#started.add(key);
      events.push({ type: "tool_start", data: { ...call, args: input ?? {} } });
    }
    if ((status === "completed" || status === "error") && this.#first(key)) {
      const durationMs = (took?.end ?? 0) - (took?.start ?? 0);
      const success = status === "completed";
      events.push({
        type: "tool_end",
        data: { ...call, success, result: output ?? error ?? "", durationMs },
      });
    }
    return events;
  }

  #first(id: string): boolean {
    if (this.#ended.has(id)) return false;
    this.#ended.add(id);
    return true;
  }
}
