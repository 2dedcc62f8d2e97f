// A manifest of repository context for a model of another company.
import type { TransferManifest } from "../../src/core/contract/index.ts";
import { ref, sha256 } from "./play.ts";

export const manifest = (more: Partial<TransferManifest> = {}): TransferManifest => ({
  manifest: ref("transfer_manifest", "m"),
  destination: { provider: "openai-api", model: "big" },
  purpose: "repo_context",
  contentSha256: sha256("x"),
  totalBytes: 1_000,
  risk: "repo_context",
  riskReasons: [],
  phrase: "send repo context to openai-api",
  ...more,
});
