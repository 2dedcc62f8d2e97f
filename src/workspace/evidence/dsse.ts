// DSSE envelopes around in-toto statements: a payload, its type, and signatures over both.
import { parseJson } from "../../core/contract/index.ts";
import { z } from "zod";
import type { PublicKey, UserKey } from "./key.ts";

const payloadType = "application/vnd.in-toto+json";

const envelope = z.object({
  payloadType: z.literal(payloadType),
  payload: z.base64(),
  signatures: z
    .array(z.object({ keyid: z.string(), sig: z.base64() }))
    .min(1)
    .max(8),
});

function preAuthentication(payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

export function signEnvelope(key: UserKey, statement: unknown): string {
  const payload = Buffer.from(JSON.stringify(statement));
  const sig = key.sign(preAuthentication(payload)).toString("base64");
  const made = { payloadType, payload: payload.toString("base64"), signatures: [{ keyid: key.id, sig }] };
  return `${JSON.stringify(made)}\n`;
}

export type Opened =
  | { readonly kind: "signed"; readonly statement: unknown; readonly keyid: string }
  | { readonly kind: "stranger"; readonly keyids: readonly string[] }
  | { readonly kind: "broken"; readonly why: string };

/** `signed`: by one of the keys. `stranger`: none of the keys is named. `broken`: a key is named, and it did not sign this. */
export function openEnvelope(text: string, keys: readonly PublicKey[]): Opened {
  const parsed = envelope.safeParse(parseJson(text));
  if (!parsed.success) return { kind: "broken", why: "the evidence is not a signed envelope" };
  const { payload, signatures } = parsed.data;
  const bytes = Buffer.from(payload, "base64");
  const named = signatures.flatMap(({ keyid, sig }) =>
    keys.filter(({ id }) => id === keyid).map((key) => ({ key, sig })),
  );
  if (named.length === 0) return { kind: "stranger", keyids: signatures.map(({ keyid }) => keyid) };
  const signer = named.find(({ key, sig }) => key.verifies(preAuthentication(bytes), Buffer.from(sig, "base64")));
  if (!signer) return { kind: "broken", why: "the signature does not fit the evidence" };
  return { kind: "signed", statement: parseJson(bytes.toString("utf8")), keyid: signer.key.id };
}
