// Answers and bodies of the gateway: JSON in, JSON out, every refusal with a reason.
import type { IncomingMessage, ServerResponse } from "node:http";
import { fail, FailureError, failureTable } from "../../core/contract/index.ts";
import { isJson, readBody, sendJson } from "../../platform/http/index.ts";
import { strictJson } from "../rules/index.ts";
import type { GatewayLimits } from "../service/index.ts";

/** A refusal with an HTTP status of its own. */
export class HttpRefusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

export const refuseRequest = (status: number, message: string, headers?: Readonly<Record<string, string>>): never => {
  throw new HttpRefusal(status, message, headers);
};

/** False for an error that the caller must not see. */
export function sendRefusal(response: ServerResponse, error: unknown): boolean {
  if (error instanceof HttpRefusal) {
    sendJson(response, error.status, { error: error.message }, error.headers);
    return true;
  }
  if (!(error instanceof FailureError)) return false;
  const { code, message, remedy } = error.failure;
  sendJson(response, failureTable[code].http, {
    error: message,
    code,
    ...(remedy === undefined ? {} : { remedy }),
  });
  return true;
}

/** The body as text, within its bytes and its time. */
export async function bodyText(
  request: IncomingMessage,
  { bodyBytes, bodyMs }: Pick<GatewayLimits, "bodyBytes" | "bodyMs">,
): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const slow = new Promise<"slow">((resolve) => {
    timer = setTimeout(() => resolve("slow"), bodyMs);
  });
  const read = readBody(request, bodyBytes);
  // A client that hangs up rejects the read after the race is decided.
  read.catch(() => undefined);
  const text = await Promise.race([read, slow]).finally(() => clearTimeout(timer));
  if (text === "slow") return refuseRequest(408, "The body did not arrive in time.", { Connection: "close" });
  if (text === null) return refuseRequest(413, `The body is larger than ${bodyBytes} bytes.`);
  return text;
}

export async function bodyOf(request: IncomingMessage, limits: GatewayLimits): Promise<unknown> {
  if (!isJson(request.headers)) return refuseRequest(415, "Content-Type must be application/json.");
  const text = await bodyText(request, limits);
  return text.trim() === "" ? fail("invalid_input", "The body is empty.") : strictJson(text);
}
