// One client: its handshake, the calls it has under way, what it is asked in return. Knows nothing of how bytes travel.
import { recordOf } from "../../../core/contract/index.ts";
import { claimedRevision, modernProtocol, recoded, senderOf, wholeEnvelope } from "./envelope.ts";
import {
  rpcAnswer,
  codes,
  refusal,
  RpcError,
  type RpcRequest,
  type Id,
  type RpcMessage,
  type RpcNotification,
  type RpcReply,
} from "./message.ts";

export interface Client {
  readonly name: string;
  readonly version: string;
  readonly protocol: string;
  /** It can put a form before a person. */
  readonly elicits: boolean;
  /** It can name the folders that are open in it. */
  readonly namesRoots: boolean;
}

/** The caller as a method sees it. */
export interface RpcCaller {
  readonly client: Client;
  /** Fires when the call is cancelled or the client is gone. It ends waiting, never a run. */
  readonly signal: AbortSignal;
  /** Sent only to a client that asked for progress. */
  progress(line: string): void;
  /** A request to the client; fails when it refuses, leaves, or does not answer in time. */
  ask(method: string, params: unknown, timeoutMs: number): Promise<unknown>;
}

export type Method = (params: Readonly<Record<string, unknown>>, caller: RpcCaller) => Promise<unknown>;
export type Send = (message: object) => void;

export interface Service {
  readonly info: { readonly name: string; readonly version: string; readonly title: string };
  readonly instructions?: string;
  readonly capabilities: object;
  method(name: string): Method | undefined;
  /** A bug of ours, for the log. The client hears only that it happened. */
  fault(error: unknown): void;
}

export const protocols = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
/** The revision that older or newer clients are offered instead of their own. */
const newest = protocols[0];
const mostCalls = 1_000;

const textOf = (value: unknown, fallback: string): string =>
  typeof value === "string" && value !== "" ? value.slice(0, 100) : fallback;
interface UnderWay {
  readonly stop: AbortController;
  /** By the client itself, which then wants no answer. */
  cancelled: boolean;
}

interface Asked {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export class ClientSession {
  readonly #service: Service;
  readonly #calls = new Map<Id, UnderWay>();
  readonly #asked = new Map<Id, Asked>();
  #client: Client | undefined;
  #over = false;
  #questions = 0;
  #idle: (() => void)[] = [];

  constructor(service: Service) {
    this.#service = service;
  }

  get client(): Client | undefined {
    return this.#client;
  }
  get busy(): boolean {
    return this.#calls.size > 0;
  }

  /** Takes one message; each reply goes through `send`, also later. */
  async receive(message: RpcMessage, send: Send, gone?: AbortSignal): Promise<void> {
    if (message.kind === "response") return this.#answered(message);
    if (message.kind === "notification") return this.#noted(message);
    if (this.#calls.has(message.id))
      return send(refusal(message.id, new RpcError(codes.request, "A call with this id is under way.")));
    if (this.#calls.size >= mostCalls)
      return send(refusal(message.id, new RpcError(-32_000, `More than ${mostCalls} calls at once; wait for some.`)));
    // Each call has its own signal: listeners on a shared one would be kept for as long as it lives.
    const call: UnderWay = { stop: new AbortController(), cancelled: false };
    this.#calls.set(message.id, call);
    if (this.#over) call.stop.abort();
    gone?.addEventListener("abort", () => call.stop.abort(), { once: true });
    const reply = await this.#perform(message, send, call.stop.signal);
    this.#calls.delete(message.id);
    // A cancelled call is not answered; the client no longer waits.
    if (!call.cancelled) send(reply);
    if (!this.busy) for (const tell of this.#idle.splice(0)) tell();
  }

  async #perform(call: RpcRequest, send: Send, signal: AbortSignal): Promise<object> {
    try {
      return rpcAnswer(call.id, await this.#dispatch(call, send, signal));
    } catch (error) {
      if (error instanceof RpcError)
        return refusal(call.id, claimedRevision(call.params) === undefined ? error : recoded(error));
      this.#service.fault(error);
      return refusal(call.id, new RpcError(codes.internal, "Internal error; the server's stderr has the details."));
    }
  }

  async #dispatch(call: RpcRequest, send: Send, signal: AbortSignal): Promise<unknown> {
    const sender = senderOf(call.params);
    if (sender) return wholeEnvelope(await this.#serve(call, sender, send, signal), call.method, this.#service.info);
    if (call.method === "initialize") return this.#initialize(call.params);
    if (call.method === "ping") return {};
    return this.#serve(call, this.#client, send, signal);
  }

  #serve(call: RpcRequest, client: Client | undefined, send: Send, signal: AbortSignal): Promise<unknown> {
    const { capabilities, instructions } = this.#service;
    if (call.method === "server/discover" && client?.protocol === modernProtocol)
      return Promise.resolve({ supportedVersions: [modernProtocol], capabilities, instructions });
    const method = this.#service.method(call.method);
    if (!method) throw new RpcError(codes.method, `There is no method ${call.method.slice(0, 100)}.`);
    if (!client) throw new RpcError(codes.request, "Send initialize first.");
    if (call.method.endsWith("/list") && call.params["cursor"] !== undefined)
      throw new RpcError(codes.params, "cursor: lists come whole here, so no cursor was given out.");
    return method(call.params, {
      client,
      signal,
      progress: this.#progress(call, send),
      ask: (name, params, timeoutMs) => this.#ask(name, params, timeoutMs, send, signal),
    });
  }

  #initialize(params: Readonly<Record<string, unknown>>): object {
    if (this.#client) throw new RpcError(codes.request, "This session is initialized already.");
    const wanted = params["protocolVersion"];
    const who = recordOf(params["clientInfo"]);
    const { elicitation, roots } = recordOf(params["capabilities"]);
    const form = typeof elicitation === "object" && elicitation !== null;
    this.#client = {
      name: textOf(who["name"], "unnamed client"),
      version: textOf(who["version"], "0"),
      protocol: protocols.find((known) => known === wanted) ?? newest,
      // An object that names modes must name the form; an empty one means it.
      elicits: form && (Object.keys(elicitation).length === 0 || "form" in elicitation),
      namesRoots: typeof roots === "object" && roots !== null,
    };
    const { info, instructions, capabilities } = this.#service;
    return { protocolVersion: this.#client.protocol, capabilities, serverInfo: info, instructions };
  }

  #progress(call: RpcRequest, send: Send): (line: string) => void {
    const token = recordOf(call.params["_meta"])["progressToken"];
    if (typeof token !== "string" && typeof token !== "number") return () => undefined;
    let progress = 0;
    return (message) => {
      progress += 1;
      send({
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: token, progress, message },
      });
    };
  }

  #ask(method: string, params: unknown, timeoutMs: number, send: Send, signal: AbortSignal): Promise<unknown> {
    this.#questions += 1;
    const id = `ask-${this.#questions}`;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    return new Promise((resolve, reject) => {
      const settle = () => {
        limit.removeEventListener("abort", ended);
        this.#asked.delete(id);
      };
      const ended = () => {
        settle();
        send({
          jsonrpc: "2.0",
          method: "notifications/cancelled",
          params: { requestId: id, reason: "no answer" },
        });
        reject(new Error(signal.aborted ? "the client left" : "no answer came in time"));
      };
      this.#asked.set(id, {
        resolve: (value) => (settle(), resolve(value)),
        reject: (error) => (settle(), reject(error)),
      });
      limit.addEventListener("abort", ended, { once: true });
      send({ jsonrpc: "2.0", id, method, params });
    });
  }

  #answered({ id, result, error }: RpcReply): void {
    const asked = this.#asked.get(id);
    // An answer to nothing that is asked now: a replay, or too late. It counts for nothing.
    if (!asked) return;
    if (error) asked.reject(new Error(`the client refused: ${error.message}`));
    else asked.resolve(result);
  }

  #noted({ method, params }: RpcNotification): void {
    if (method !== "notifications/cancelled") return;
    const id = params["requestId"];
    const call = typeof id === "string" || typeof id === "number" ? this.#calls.get(id) : undefined;
    if (!call) return;
    call.cancelled = true;
    call.stop.abort();
  }

  /** Ends every wait; answers with a promise that is kept when no call is under way any more. */
  close(): Promise<void> {
    this.#over = true;
    for (const { stop } of this.#calls.values()) stop.abort();
    return this.busy ? new Promise((resolve) => this.#idle.push(resolve)) : Promise.resolve();
  }
}
