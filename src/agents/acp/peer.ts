// One end of a JSON-RPC 2.0 conversation over lines of text. Knows no methods.
//
// Our own rather than the protocol's SDK: its reader takes lines of any length and prints what it cannot read, while the
// other end here is a program we do not trust; our part is five methods long.
import { parseJson } from "../../core/contract/index.ts";
import { z } from "zod";

const id = z.union([z.string().max(200), z.number()]);
const message = z.looseObject({
  id: id.optional(),
  method: z.string().max(200).optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
});

/** The other end refused the request. */
export class PeerRefusal extends Error {
  readonly code: number;
  constructor(code: number, text: string) {
    super(text);
    this.code = code;
  }
}

interface PeerHandlers {
  /** The answer to a question of the other end; undefined when we offer no such method. */
  asked(method: string, params: unknown): unknown;
  notified(method: string, params: unknown): void;
}

export interface Peer {
  /** Rejects with a `PeerRefusal`, or with the reason given to `close`. */
  ask(method: string, params: unknown): Promise<unknown>;
  notify(method: string, params: unknown): void;
  /** Skips lines that are not messages: programs print greetings and warnings. */
  receive(line: string): void;
  /** Nothing more will come. */
  close(why: Error): void;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

const noSuchMethod = -32_601;

export function createPeer(send: (line: string) => void, handlers: PeerHandlers): Peer {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let closed: Error | undefined;
  const say = (body: object) => send(`${JSON.stringify({ jsonrpc: "2.0", ...body })}\n`);
  return {
    ask(method, params) {
      if (closed) return Promise.reject(closed);
      last += 1;
      const own = last;
      return new Promise((resolve, reject) => {
        waiting.set(own, { resolve, reject });
        say({ id: own, method, params });
      });
    },
    notify: (method, params) => say({ method, params }),
    receive(line) {
      const received = parse(line);
      if (!received || closed) return;
      if (received.method === undefined) settle(waiting, received);
      else if (received.id === undefined) handlers.notified(received.method, received.params);
      else say(answer(handlers, received.id, received.method, received.params));
    },
    close(why) {
      closed ??= why;
      for (const { reject } of waiting.values()) reject(closed);
      waiting.clear();
    },
  };
}

const parse = (line: string): z.infer<typeof message> | undefined => message.safeParse(parseJson(line)).data;

function settle(waiting: Map<number, Waiting>, received: z.infer<typeof message>): void {
  const one = typeof received.id === "number" ? waiting.get(received.id) : undefined;
  if (!one) return;
  waiting.delete(received.id as number);
  if (received.error) one.reject(new PeerRefusal(received.error.code, errorText(received.error)));
  else one.resolve(received.result);
}

/** Agents hide the reason in `data`. */
function errorText({ message: text, data }: { message: string; data?: unknown }): string {
  const more = data === undefined || data === null ? "" : typeof data === "string" ? data : JSON.stringify(data);
  return more === "" ? text.slice(0, 500) : `${text.slice(0, 500)} (${more.slice(0, 500)})`;
}

function answer(handlers: PeerHandlers, own: string | number, method: string, params: unknown): object {
  const result = handlers.asked(method, params);
  return result === undefined
    ? { id: own, error: { code: noSuchMethod, message: `${method} is not offered` } }
    : { id: own, result };
}
