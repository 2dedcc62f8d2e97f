// The newer protocol: no handshake, every request says in an envelope who sends it and in which revision, and every
// result says that it is whole. The same methods are served in it; only forms for a person are not, since there the
// client would call again with an answer that no person can be shown to have given.
import { recordOf } from "../../../core/contract/index.ts";
import { codes, RpcError } from "./message.ts";
import type { Client } from "./session.ts";

export const modernProtocol = "2026-07-28";
const key = (name: string) => `io.modelcontextprotocol/${name}`;
const unsupported = -32_022;

type Params = Readonly<Record<string, unknown>>;
export const isModern = (version: unknown): boolean => version === modernProtocol;

export const needEnvelope = (): RpcError => new RpcError(codes.params, `_meta: ${key("protocolVersion")} is needed.`);

/** The revision a request claims, whatever it says. */
export const claimedRevision = (params: Params): unknown => recordOf(params["_meta"])[key("protocolVersion")];

/** The sender, or undefined for a request of the older protocols. */
export function senderOf(params: Params): Client | undefined {
  const meta = recordOf(params["_meta"]);
  const revision = meta[key("protocolVersion")];
  if (revision === undefined) return undefined;
  if (revision !== modernProtocol)
    throw new RpcError(unsupported, "This protocol version is not served.", {
      supported: [modernProtocol],
      requested: String(revision).slice(0, 40),
    });
  if (typeof meta[key("clientCapabilities")] !== "object")
    throw new RpcError(codes.params, `_meta: ${key("clientCapabilities")} is needed.`);
  const { name, version } = recordOf(meta[key("clientInfo")]);
  return {
    name: typeof name === "string" && name !== "" ? name.slice(0, 100) : "unnamed client",
    version: typeof version === "string" ? version.slice(0, 100) : "0",
    protocol: modernProtocol,
    elicits: false,
    namesRoots: "roots" in recordOf(meta[key("clientCapabilities")]),
  };
}

/** The result of a call that has a question for the client, which calls again with the answer. */
export const inputRequired = "input_required";

/** A list is true now: a client may keep it for itself, and asks again. */
const uncached = { ttlMs: 0, cacheScope: "private" };

export function wholeEnvelope(result: unknown, method: string, info: object): object {
  const fields = recordOf(result);
  const listed = /^(tools|prompts|resources|resources\/templates)\/list$|^resources\/read$|^server\/discover$/;
  return {
    ...fields,
    resultType: fields["resultType"] === inputRequired ? inputRequired : "complete",
    ...(listed.test(method) ? uncached : {}),
    _meta: { ...recordOf(fields["_meta"]), [key("serverInfo")]: info },
  };
}

/** The older code for a resource that is not there is gone in this revision. */
export const recoded = (error: RpcError): RpcError =>
  error.code === -32_002 ? new RpcError(codes.params, error.message, error.data) : error;
