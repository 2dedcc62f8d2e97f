// Texts are redacted here when they are stored. Bytes that are parsed or applied are never redacted.
import type { ArtifactKind, ArtifactRef } from "../../../core/contract/index.ts";
import type { EffectPorts, TextPort } from "./ports.ts";

/** Every string in a value, keys left alone: redacting the JSON text itself could break it. */
export function redactDeep<T>(room: TextPort, value: T): T {
  if (typeof value === "string") return room.redact(value) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => redactDeep(room, item)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactDeep(room, item)])) as T;
}

/** The sequences by which a program colours its words. */
const colour = /\u001b\[[0-9;]{0,20}m/g;

/** Output of a program as a log artifact, or null when there was none. */
export async function putLog(
  ports: EffectPorts,
  bytes: Uint8Array,
  summary: string,
  colours: "keep" | "strip" = "keep",
): Promise<ArtifactRef | null> {
  if (bytes.length === 0) return null;
  const decoded = ports.text.decode(bytes);
  const text = ports.text.redact(colours === "keep" ? decoded : decoded.replaceAll(colour, ""));
  return ports.artifacts.put(text, {
    kind: "log",
    mediaType: "text/plain; charset=utf-8",
    summary: line(summary),
  });
}

export function putJson(
  ports: EffectPorts,
  kind: ArtifactKind,
  value: unknown,
  summary: string,
): Promise<ArtifactRef> {
  const text = `${JSON.stringify(redactDeep(ports.text, value), null, 2)}\n`;
  return ports.artifacts.put(text, { kind, mediaType: "application/json", summary: line(summary) });
}

/** Exact bytes: a patch is applied as it was captured, so it is stored as it was captured. */
export function putDiff(ports: EffectPorts, bytes: Uint8Array, summary: string): Promise<ArtifactRef> {
  return ports.artifacts.put(bytes, { kind: "diff", mediaType: "text/x-diff", summary: line(summary) });
}

const line = (text: string): string => text.replaceAll(/\s+/g, " ").slice(0, 300);
