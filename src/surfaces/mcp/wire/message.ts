// JSON-RPC as it comes from a client we do not trust: one message, bounded in size and depth, or the error to answer.
import { isRecord } from "../../../core/contract/index.ts";

export type Id = string | number;

export interface RpcRequest {
  readonly kind: "request";
  readonly id: Id;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}
export interface RpcNotification {
  readonly kind: "notification";
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}
export interface RpcReply {
  readonly kind: "response";
  readonly id: Id;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}
export type RpcMessage = RpcRequest | RpcNotification | RpcReply;

export const codes = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
} as const;

/** An error of the protocol itself, to be answered as such. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = "RpcError";
    this.code = code;
    this.data = data;
  }
}

const deepest = 64;

/** Depth by brackets outside of strings, measured before anything is built from the text. */
function tooDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (quoted) {
      if (char === 92) at += 1;
      else if (char === 34) quoted = false;
    } else if (char === 34) quoted = true;
    else if (char === 91 || char === 123) {
      depth += 1;
      if (depth > deepest) return true;
    } else if (char === 93 || char === 125) depth -= 1;
  }
  return false;
}

const isId = (value: unknown): value is Id =>
  (typeof value === "string" && value.length <= 256) || (typeof value === "number" && Number.isFinite(value));

export const readMessage = (text: string): RpcMessage => shape(parse(text));

/** The messages of a batch, parsed separately: a malformed one does not affect the others. */
export function readParts(text: string): (RpcMessage | RpcError)[] {
  const parts = parse(text);
  if (!Array.isArray(parts)) throw new RpcError(codes.request, "A batch is a list of messages.");
  return parts.map((part: unknown) => {
    try {
      return shape(part);
    } catch (error) {
      if (error instanceof RpcError) return error;
      throw error;
    }
  });
}

function parse(text: string): unknown {
  if (tooDeep(text)) throw new RpcError(codes.request, `A message may be nested ${deepest} levels deep, not more.`);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new RpcError(codes.parse, `Not JSON: ${error instanceof Error ? error.message.slice(0, 200) : "unreadable"}`);
  }
}

function shape(value: unknown): RpcMessage {
  if (Array.isArray(value)) throw new RpcError(codes.request, "Batches are not served; send one message at a time.");
  if (!isRecord(value) || value["jsonrpc"] !== "2.0")
    throw new RpcError(codes.request, 'A message is an object with "jsonrpc": "2.0".');
  const { id, method, params, result, error } = value;
  if (typeof method === "string") {
    if (params !== undefined && !isRecord(params))
      throw new RpcError(codes.params, "params: must be an object.", { id: isId(id) ? id : null });
    const given = (params ?? {}) as Record<string, unknown>;
    if (id === undefined) return { kind: "notification", method, params: given };
    if (!isId(id)) throw new RpcError(codes.request, "id: must be a string or a number.");
    return { kind: "request", id, method, params: given };
  }
  if (isId(id) && ("result" in value || isRecord(error)))
    return {
      kind: "response",
      id,
      ...("result" in value ? { result } : {}),
      ...(isRecord(error)
        ? { error: { code: Number(error["code"]), message: String(error["message"]).slice(0, 500) } }
        : {}),
    };
  throw new RpcError(codes.request, "A message needs a method, or an id with a result.");
}

export const rpcAnswer = (id: Id, result: unknown) => ({ jsonrpc: "2.0", id, result });
export const refusal = (id: Id | null, error: RpcError) => ({
  jsonrpc: "2.0",
  id,
  error: {
    code: error.code,
    message: error.message,
    ...(error.data === undefined ? {} : { data: error.data }),
  },
});
