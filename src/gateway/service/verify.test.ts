// Evidence that leaves a sandbox: no value that the session knows goes with it, in whatever bytes.
import { expect, it } from "vitest";
import { type KeptArtifact, artifactsInMemory } from "../../../tests/support/artifacts.ts";
import type { Sandbox } from "../sandboxes/index.ts";
import { KnownValues } from "./clean.ts";
import { collectEvidence } from "./verify.ts";
import type { GatewayDeps } from "./deps.ts";

it("[A-7] a known value leaves neither in text nor in bytes that are not text, and a file by a secret name does not leave", async () => {
  const value = "hunter2-of-the-session";
  const known = new KnownValues();
  known.add("s1", [value]);
  const kept = new Map<string, KeptArtifact>();
  const deps = { store: { artifacts: artifactsInMemory(kept) } } as unknown as GatewayDeps;
  const files = {
    "log.txt": Buffer.from(`token ${value}\n`),
    "picture.png": Buffer.from([0, 255, 1, 2]),
    "dump.bin": Buffer.concat([Buffer.from([0, 255]), Buffer.from(value)]),
    ".env": Buffer.from("A=1\n"),
  };
  const collect = () =>
    Promise.resolve({ files: Object.entries(files).map(([path, bytes]) => ({ path, bytes })), left: [] });
  const { result } = await collectEvidence(deps, { collect } as unknown as Sandbox, "s1", undefined, known);
  expect(result.data).toMatchObject({
    uploadedCount: 2,
    left: [
      { path: "dump.bin", why: "it may hold a secret" },
      { path: ".env", why: "it may hold a secret" },
    ],
  });
  for (const { bytes } of kept.values()) expect(Buffer.from(bytes).includes(value)).toBe(false);
});
