// The newer protocol over HTTP says the same in headers and in the body, for programs on the way that read headers only.
import type { IncomingHttpHeaders } from "node:http";
import { claimedRevision, isModern, needEnvelope, senderOf } from "../envelope.ts";
import { RpcError, type RpcMessage } from "../message.ts";

const mismatch = -32_020;
const differs = () => new RpcError(mismatch, "The headers and the message do not say the same.");

/** The methods that say in a header too which tool, prompt or resource they are about. */
const named: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/** A name that a header cannot hold comes encoded. */
function decoded(header: string): string {
  const [, encoded] = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(header) ?? [];
  return encoded === undefined ? header : Buffer.from(encoded, "base64").toString("utf8");
}

/** Why a request of the newer protocol is refused before it is read; undefined for the older ones. */
export function modernRefusal(message: RpcMessage, headers: IncomingHttpHeaders): RpcError | undefined {
  if (message.kind !== "request") return undefined;
  const { method, params } = message;
  const claimed = claimedRevision(params);
  const version = headers["mcp-protocol-version"];
  if (claimed === undefined) return isModern(version) ? needEnvelope() : undefined;
  try {
    if (version !== claimed || headers["mcp-method"] !== method) return differs();
    senderOf(params);
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
  const subject = Object.hasOwn(named, method) ? params[named[method] ?? ""] : undefined;
  const header = headers["mcp-name"];
  if (subject === undefined && header === undefined) return undefined;
  return typeof header === "string" && decoded(header) === subject ? undefined : differs();
}
