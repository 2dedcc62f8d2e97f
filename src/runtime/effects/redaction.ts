// Text is redacted here, by our rules and the user's, when it is stored. Bytes that are parsed or applied never are.
import type { ArtifactKind, ArtifactRef, Artifacts } from "../../core/contract/index.ts";
import { type SecretOptions, redact } from "../../core/secrets/index.ts";
import { type TextPort, cleanDeep } from "../engine/index.ts";

/** Where redacted text is stored. */
interface TextStore {
  readonly artifacts: Artifacts;
  readonly text: TextPort;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export function createTextPort(secrets?: SecretOptions): TextPort {
  const withoutSecrets = (text: string) => {
    const { text: clean, matches } = redact(text, secrets);
    return { text: clean, taken: matches.length, kinds: [...new Set(matches.map(({ label }) => label))] };
  };
  return {
    decode: (bytes) => decoder.decode(bytes),
    encode: (text) => encoder.encode(text),
    withoutSecrets,
    redact: (text) => withoutSecrets(text).text,
    redactLog: (text) => redact(text, { ...secrets, use: "print" }).text,
  };
}

/** Escape sequences for colours. */
const colour = /\u001b\[[0-9;]{0,20}m/g;

/** Output of a program as a log artifact, or null when there was none. */
export async function putLog(
  store: TextStore,
  bytes: Uint8Array,
  summary: string,
  colours: "keep" | "strip" = "keep",
): Promise<ArtifactRef | null> {
  if (bytes.length === 0) return null;
  const decoded = store.text.decode(bytes);
  const text = store.text.redactLog(colours === "keep" ? decoded : decoded.replaceAll(colour, ""));
  return store.artifacts.put(text, {
    kind: "log",
    mediaType: "text/plain; charset=utf-8",
    summary: line(summary),
  });
}

export function putJson(store: TextStore, kind: ArtifactKind, value: unknown, summary: string): Promise<ArtifactRef> {
  const text = `${JSON.stringify(cleanDeep(store.text, value), null, 2)}\n`;
  return store.artifacts.put(text, { kind, mediaType: "application/json", summary: line(summary) });
}

/** Exact bytes: a patch is applied as it was captured, so it is stored as it was captured. */
export function putDiff(store: TextStore, bytes: Uint8Array, summary: string): Promise<ArtifactRef> {
  return store.artifacts.put(bytes, { kind: "diff", mediaType: "text/x-diff", summary: line(summary) });
}

const line = (text: string): string => text.replaceAll(/\s+/g, " ").slice(0, 300);
