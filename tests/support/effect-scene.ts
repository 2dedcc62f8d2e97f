// The effects of a run with artifacts in memory: one effect is performed and its outcome looked at.
import { expect } from "vitest";
import type {
  CommandRunner,
  EffectContext,
  EffectOutcome,
  EvidenceAttachment,
  OutsideEffect,
} from "../../src/core/contract/index.ts";
import { createRegistry } from "../../src/agents/index.ts";
import { type EffectDeps, type EffectsInput, effectDeps } from "../../src/runtime/effects/deps.ts";
import { createEffects } from "../../src/runtime/effects/perform.ts";
import { type KeptArtifact, artifactsInMemory } from "./artifacts.ts";

export const secret = ["ghp", "_"].join("") + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";

/** A runner that looks confined and answers every command in one way. */
export const runnerOf = (run: CommandRunner["run"]): CommandRunner => ({
  run,
  confinement: () => Promise.resolve("bubblewrap"),
  nests: () => Promise.resolve(false),
});

const notHere = () => Promise.reject(new Error("no program is run in this scene"));

/** Outside of git, without agents and without programs, unless the test hands them in. */
export const sceneDeps = (more: Partial<EffectsInput> = {}): EffectDeps =>
  effectDeps({
    root: "/nowhere",
    repository: undefined,
    artifacts: artifactsInMemory(),
    providers: createRegistry([]),
    commands: runnerOf(notHere),
    scratchFolders: [],
    classify: () => Promise.resolve({ class: "read_only", gated: false, why: "w", parts: [] }),
    ...more,
  });

export const { text } = sceneDeps();

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
  deps: Partial<EffectsInput>,
  effect: object,
  kind: K,
  more: object = {},
): Promise<Extract<EffectOutcome, { kind: K }>> {
  const outcome = await createEffects(sceneDeps(deps))(
    { key: "k", ...effect } as unknown as OutsideEffect,
    context(more),
  );
  expect(outcome.kind).toBe(kind);
  return outcome as Extract<EffectOutcome, { kind: K }>;
}
