// The effects of the engine over ports in memory: one effect is performed and its outcome looked at.
import { expect } from "vitest";
import type {
  EffectContext,
  EffectOutcome,
  EvidenceAttachment,
  OutsideEffect,
} from "../../src/core/contract/index.ts";
import { createEffects } from "../../src/runtime/engine/effects/index.ts";
import type { EffectPorts } from "../../src/runtime/engine/effects/ports.ts";
import { createTextPort } from "../../src/runtime/runs/effects/text.ts";
import { type KeptArtifact, artifactsInMemory, sha256 } from "./artifacts.ts";

export const secret = ["ghp", "_"].join("") + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
export const text = createTextPort();

export function memory() {
  const kept = new Map<string, KeptArtifact>();
  const artifacts = artifactsInMemory(kept);
  const json = async (ref: string): Promise<unknown> => JSON.parse(text.decode(await artifacts.read(ref)));
  const attach = async (name: string, body: string, maxBytes = 10_000): Promise<EvidenceAttachment> => ({
    name,
    maxBytes,
    ref: await artifacts.put(body, { kind: "log", mediaType: "text/plain", summary: name }),
  });
  return { artifacts, json, attach, kept };
}

export const context = (more: object = {}): EffectContext => ({
  runId: "run_000001",
  created: {
    baseCommit: "base",
    policy: { protectedPaths: [] },
    ...more,
  } as unknown as EffectContext["created"],
  signal: new AbortController().signal,
  began: () => Promise.resolve(),
  fence: () => Promise.resolve(),
  posted: () => Promise.resolve(),
  progress: () => undefined,
});

export async function perform<K extends EffectOutcome["kind"]>(
  ports: object,
  effect: object,
  kind: K,
  more: object = {},
): Promise<Extract<EffectOutcome, { kind: K }>> {
  const outcome = await createEffects({ sha256, text, ...ports } as unknown as EffectPorts).perform(
    { key: "k", ...effect } as unknown as OutsideEffect,
    context(more),
  );
  expect(outcome.kind).toBe(kind);
  return outcome as Extract<EffectOutcome, { kind: K }>;
}
