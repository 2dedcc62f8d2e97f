// The files of a request.
import { fail } from "../../contract/index.ts";
import type { RunRequest } from "../../contract/transport/index.ts";
import type { PreparedBundle } from "../run/ports.ts";

export async function prepareBundle(request: RunRequest): Promise<PreparedBundle> {
  if (request.files.patterns.length > 0) fail("invalid_input", "This build cannot send files yet.");
  return {
    report: {
      format: request.files.format,
      fileCount: 0,
      totalBytes: 0,
      excluded: [],
      secretLabels: [],
      estimatedTokens: 0,
    },
    files: [],
    manifest: () => ({}),
    text: async () => null,
    zip: async () => ({ bytes: 0 }),
  };
}
export async function countTokens(text: string, _model: string): Promise<number> {
  return text.length;
}
